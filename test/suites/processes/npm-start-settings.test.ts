// Settings of a machine that must not change what `npm start` and `npm run plants` do.
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import dynalite from 'dynalite';
import { afterAll, expect, it } from 'vitest';
import { send } from '../../contract/described-responses.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { runCommand } from '../../support/service/command.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { freePorts, startService } from '../../support/service/running-service.ts';

const project = copyProject();
afterAll(project.remove);
const state = join(project.folder, '.local');

const nowhere = 'http://127.0.0.1:1';

/** Starts the service, and lists plants with the token that it prints, and with `npm run plants`. */
const listPlants = async (environment: Readonly<Record<string, string>>): Promise<number> => {
  const service = await startService(project, environment);
  const [, authorization = ''] = /Authorization: (Bearer \S+)'/.exec(service.command.output()) ?? [];
  const { status } = await send(service.baseUrl, '/plants', { authorization });
  const list = ['node', 'cli/main.ts', 'list', '--from', 'user:bob'];
  const variables = { ...environment, AWS_ENDPOINT_URL_DYNAMODB: nowhere };
  const { output } = await runCommand('bin/run', project.folder, list, variables).ended;
  expect(output).toMatch(/^(\{.*\n)*\d+ items? listed\.\n$/);
  await service.stop();
  expect(service.command.output()).not.toMatch(/error|warn/i);
  return status;
};

it.each<[string, Readonly<Record<string, string>>]>([
  [
    'empty and unusable settings of AWS',
    {
      ...{ AWS_REGION: '', AWS_DEFAULT_REGION: '', AWS_PROFILE: 'missing', AWS_ENDPOINT_URL: 'x' },
      ...{ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: 'x y' },
      ...{ AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
      ...{ AWS_ACCOUNT_ID_ENDPOINT_MODE: '', AWS_DEFAULTS_MODE: 'x' },
      ...{ AWS_MAX_ATTEMPTS: '0', AWS_RETRY_MODE: 'x' },
    },
  ],
  [
    'a Region that is none, and the variables of a deployed function',
    { AWS_REGION: 'us-east-1 ', REQUIRED_SCOPE: 'plants:read', CLIENT_IDS: 'x', TABLE_NAME: 'x' },
  ],
  [
    'a proxy and options of Node.js',
    {
      ...{ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere },
      ...{ NODE_OPTIONS: '--max-old-space-size=300' },
    },
  ],
])('npm start runs with %s', async (_, environment) => {
  expect(await listPlants(environment)).toBe(200);
});

it('npm start uses a store twice, and no client sends it a Region or key of the machine', async () => {
  const store = dynalite({ createTableMs: 0 });
  const scopes = new Set<string>();
  const server = createServer((request, response) => {
    scopes.add(request.headers.authorization?.replace(/.* Credential=|\/dynamodb.*/g, '') ?? '');
    store.emit('request', request, response);
  });
  const keys = { AWS_ACCESS_KEY_ID: 'own', AWS_SECRET_ACCESS_KEY: 'own', AWS_SESSION_TOKEN: 'own' };
  const endpoint = await startServer(server);
  const environment = { ...keys, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  expect(await listPlants(environment)).toBe(200);
  // The table exists now.
  expect(await listPlants(environment)).toBe(200);
  expect([...scopes]).toEqual([expect.stringMatching(/^local\/\d+\/us-east-1$/)]);
  await stopServer(server);
});

it('npm start runs with FIPS, no Region and a wrong endpoint in the configuration of AWS', async () => {
  mkdirSync(join(project.folder, '.aws'));
  const settings = [
    'use_fips_endpoint=true',
    'use_dualstack_endpoint=true',
    'retry_mode=x',
    'max_attempts=0',
  ];
  writeFileSync(
    join(project.folder, '.aws/config'),
    ['[default]', 'region=', 'endpoint_url=x', ...settings, ''].join('\n'),
  );
  expect(await listPlants({ HOME: project.folder })).toBe(200);
});

it('npm start replaces a service file without the address of an issuer', async () => {
  mkdirSync(state, { recursive: true });
  const fields = ['baseUrl', 'storeEndpoint', 'tableName', 'issuer', 'audience', 'keyFile'];
  const damaged = Object.fromEntries(fields.map((field) => [field, 'not a URL']));
  writeFileSync(join(state, 'service.json'), JSON.stringify(damaged));
  expect(await listPlants({})).toBe(200);
});

it.each([
  ['no watches left', 'max_inotify_watches', '4', 'ENOSPC'],
  ['no instances left', 'max_inotify_instances', '0', 'EMFILE'],
])('npm start runs with %s, and says once that changes need a restart', async (_, limit, value, code) => {
  const script = `echo ${value} > /proc/sys/user/${limit}; exec npm start`;
  const command = runCommand('unshare', project.folder, ['-Ur', 'sh', '-c', script], freePorts);
  await command.printed('Stop with Ctrl-C.');
  project.edit('functions/list-plants/errors.ts', 'whole', 'whole');
  const [, url = ''] = / is ready at (\S+)$/m.exec(command.output()) ?? [];
  expect((await send(url, '/plants')).status).toBe(401);
  command.process.kill('SIGINT');
  const { output } = await command.ended;
  expect(output.match(/^File watching stopped .*$/gm)).toEqual([
    `File watching stopped (${code}). Restart npm start after each change.`,
  ]);
});

it('npm start notices changes without events of the file system, by CHOKIDAR_USEPOLLING', async () => {
  const script = 'echo 0 > /proc/sys/user/max_inotify_instances; exec npm start';
  const environment = { ...freePorts, CHOKIDAR_USEPOLLING: '1' };
  const command = runCommand('unshare', project.folder, ['-Ur', 'sh', '-c', script], environment);
  await command.printed('Stop with Ctrl-C.');
  project.edit('functions/list-plants/errors.ts', 'whole', 'whole ');
  await command.printed('The functions were reloaded.');
  command.process.kill('SIGINT');
  expect((await command.ended).output).not.toContain('File watching stopped');
});

it('npm start names each source that is a link, because an editor can replace its target', async () => {
  const links = ['functions/linked', 'functions/list-plants/linked', 'infra/timeouts.ts', 'table'];
  for (const link of links) {
    const [from, target] = [join(project.folder, link), join(project.folder, `${link}.target.ts`)];
    if (existsSync(from)) renameSync(from, target);
    symlinkSync(target, from);
  }
  // No source, and the lock of an editor.
  for (const other of ['infra/other', 'functions/.#lock'])
    symlinkSync('nothing', join(project.folder, other));
  const service = await startService(project);
  await service.stop();
  const named = service.command
    .output()
    .match(/^\S+(?= is a link, so a change of its target may not be noticed)/gm);
  expect(named?.toSorted()).toEqual(links);
});

it.each(['npm start | head -1', 'npm start >&- 2>&-'])(
  'prints no stack trace when its output cannot be written: %s',
  async (line) => {
    const script = `(${line}) & sleep 4; kill -INT 0; wait`;
    const { output } = await runCommand('bash', project.folder, ['-c', script], freePorts).ended;
    expect(output).not.toMatch(/^ +at |Error/m);
  },
);

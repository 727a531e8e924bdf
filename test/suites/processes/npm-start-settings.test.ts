// Tests settings of a machine that must not change what `npm start` and `npm run plants` do.
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

/** A URL without a server. */
const unusedUrl = 'http://127.0.0.1:1';

/**
 * Starts the service, and lists plants with `npm run plants` and with the token that the service prints.
 * @returns the status of the service's response
 */
const listPlantsTwice = async (environment: Readonly<Record<string, string>>): Promise<number> => {
  const service = await startService(project, environment);
  const [, authorization = ''] = /Authorization: (Bearer \S+)'/.exec(service.command.output()) ?? [];
  const { status } = await send(service.baseUrl, '/plants', { authorization });
  const list = ['node', 'cli/main.ts', 'list', '--from', 'user:bob'];
  const variables = { ...environment, AWS_ENDPOINT_URL_DYNAMODB: unusedUrl };
  const { output } = await runCommand('bin/run', project.folder, list, variables).ended;
  expect(output).toMatch(/^(\{.*\n)*\d+ items? listed\.\n$/);
  await service.stop();
  expect(service.command.output()).not.toMatch(/error|warn/i);
  return status;
};

it.each<[settings: string, environment: Readonly<Record<string, string>>]>([
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
    'an invalid Region (`us-east-1 ` with a space), and the variables of a deployed function',
    { AWS_REGION: 'us-east-1 ', REQUIRED_SCOPE: 'plants:read', CLIENT_IDS: 'x', TABLE_NAME: 'x' },
  ],
  [
    'a proxy and options of Node.js',
    {
      ...{ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: unusedUrl, HTTPS_PROXY: unusedUrl, http_proxy: unusedUrl },
      ...{ NODE_OPTIONS: '--max-old-space-size=300' },
    },
  ],
])('npm start and npm run plants list plants with %s', async (_, environment) => {
  expect(await listPlantsTwice(environment)).toBe(200);
});

it('npm start uses a store without and with the table, but not the machine’s Region and keys', async () => {
  const store = dynalite({ createTableMs: 0 });
  /** The key id, date and Region in the signatures of the received requests. */
  const credentialScopes = new Set<string>();
  const server = createServer((request, response) => {
    credentialScopes.add(request.headers.authorization?.replace(/.* Credential=|\/dynamodb.*/g, '') ?? '');
    store.emit('request', request, response);
  });
  const keys = {
    AWS_ACCESS_KEY_ID: 'machine',
    AWS_SECRET_ACCESS_KEY: 'machine',
    AWS_SESSION_TOKEN: 'machine',
  };
  const endpoint = await startServer(server);
  const environment = { ...keys, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  expect(await listPlantsTwice(environment)).toBe(200);
  // The first start created the table.
  expect(await listPlantsTwice(environment)).toBe(200);
  expect([...credentialScopes]).toEqual([expect.stringMatching(/^local\/\d+\/us-east-1$/)]);
  await stopServer(server);
});

it('npm start and npm run plants list plants despite unusable settings in ~/.aws/config', async () => {
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
  expect(await listPlantsTwice({ HOME: project.folder })).toBe(200);
});

it('npm start replaces a service file whose addresses are not URLs', async () => {
  mkdirSync(state, { recursive: true });
  const fields = ['baseUrl', 'storeEndpoint', 'tableName', 'issuer', 'audience', 'keyFile'];
  const damaged = Object.fromEntries(fields.map((field) => [field, 'not a URL']));
  writeFileSync(join(state, 'service.json'), JSON.stringify(damaged));
  expect(await listPlantsTwice({})).toBe(200);
});

it.each([
  ['watches', 'max_inotify_watches', '4', 'ENOSPC'],
  ['instances', 'max_inotify_instances', '0', 'EMFILE'],
])(
  'npm start runs without inotify %s, and says once that changes need a restart',
  async (_, limit, value, code) => {
    const script = `echo ${value} > /proc/sys/user/${limit}; exec npm start`;
    const command = runCommand('unshare', project.folder, ['-Ur', 'sh', '-c', script], freePorts);
    await command.printed('Stop with Ctrl-C.');
    project.touch('functions/list-plants/errors.ts');
    const [, url = ''] = / is ready at (\S+)$/m.exec(command.output()) ?? [];
    expect((await send(url, '/plants')).status).toBe(401);
    command.process.kill('SIGINT');
    const { output } = await command.ended;
    expect(output.match(/^File watching stopped .*$/gm)).toEqual([
      `File watching stopped (${code}). Restart npm start after each change.`,
    ]);
  },
);

it('npm start with CHOKIDAR_USEPOLLING notices changes without inotify instances', async () => {
  const script = 'echo 0 > /proc/sys/user/max_inotify_instances; exec npm start';
  const environment = { ...freePorts, CHOKIDAR_USEPOLLING: '1' };
  const command = runCommand('unshare', project.folder, ['-Ur', 'sh', '-c', script], environment);
  await command.printed('Stop with Ctrl-C.');
  project.touch('functions/list-plants/errors.ts');
  await command.printed('The functions were reloaded.');
  command.process.kill('SIGINT');
  expect((await command.ended).output).not.toContain('File watching stopped');
});

it('npm start names each source that is a link, and no other link', async () => {
  const links = ['functions/linked', 'functions/list-plants/linked', 'infra/timeouts.ts', 'table'];
  for (const link of links) {
    const [path, target] = [join(project.folder, link), join(project.folder, `${link}.target.ts`)];
    if (existsSync(path)) renameSync(path, target);
    symlinkSync(target, path);
  }
  // Not named: a link that npm start does not load, and the lock file of an editor.
  for (const link of ['infra/other', 'functions/.#lock']) symlinkSync('nothing', join(project.folder, link));
  const service = await startService(project);
  await service.stop();
  const named = service.command
    .output()
    .match(/^\S+(?= is a link, so a change of its target may go unnoticed)/gm);
  expect(named?.toSorted()).toEqual(links);
});

it.each(['npm start | head -1', 'npm start >&- 2>&-'])(
  '%s prints no stack trace although its output cannot be written',
  async (command) => {
    const script = `(${command}) & sleep 4; kill -INT 0; wait`;
    const { output } = await runCommand('bash', project.folder, ['-c', script], freePorts).ended;
    expect(output).not.toMatch(/^ +at |Error/m);
  },
);

// Tests starts that fail with one line, and `npx cdk` with an old Node.js.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { linesWithoutNpm } from '../lines-without-npm.ts';
import { runCommand } from '../../support/service/command.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { freePorts } from '../../support/service/running-service.ts';

const project = copyProject();
afterAll(project.remove);

/** Starts the service, expects one line and exit code 1, and returns the line. */
const messageOfFailedStart = async (
  parameters: readonly string[] = [],
  environment = {},
): Promise<string> => {
  const variables = { ...freePorts, ...environment };
  const command = ['node', 'local/main.ts', ...parameters];
  const { code, output } = await runCommand('bin/run', project.folder, command, variables).ended;
  expect([code, linesWithoutNpm(output).length], output).toEqual([1, 1]);
  return linesWithoutNpm(output).join();
};

it('npm start says that it takes no arguments', async () => {
  expect(await messageOfFailedStart(['--port', '4111'])).toMatch(
    /^Unknown argument "--port"\. .*npm start -- --help/,
  );
});

it('npm start -- --help names the page about its settings, and starts nothing', async () => {
  const parameters = ['start', '--', '--help'];
  const { code, output } = await runCommand('npm', project.folder, parameters, freePorts).ended;
  expect([code, linesWithoutNpm(output)]).toEqual([0, [expect.stringMatching(/ docs\/local-service\.md /)]]);
});

it('npm start says where a function does not parse', async () => {
  const file = 'functions/list-plants/limit.ts';
  const restore = project.edit(file, 'export const parseLimit', 'export const const parseLimit');
  expect(await messageOfFailedStart()).toMatch(/^functions\/list-plants\/limit\.ts:\d+: .+\.$/);
  restore();
});

it('npm start says which operation has no valid route', async () => {
  const restore = project.edit('infra/operations.ts', "route: 'GET", "rout: 'GET");
  expect(await messageOfFailedStart()).toMatch(
    /^infra\/operations\.ts: operation "ListPlants" has the route .+\.$/,
  );
  restore();
});

it('npm start says which port is in use', async () => {
  const other = createServer();
  const { port } = new URL(await startServer(other));
  for (const variable of ['PORT', 'STORE_PORT', 'ISSUER_PORT'])
    expect(await messageOfFailedStart([], { [variable]: port })).toBe(
      `Port ${port} of 127.0.0.1 is in use. Set ${variable} to another one.`,
    );
  await stopServer(other);
});

it('npm start says that it cannot print its addresses, and ends', async () => {
  const command = ['-c', 'exec bin/run node local/main.ts >/dev/full'];
  const { code, output } = await runCommand('sh', project.folder, command, freePorts).ended;
  expect([code, linesWithoutNpm(output)]).toEqual([
    1,
    [expect.stringMatching(/^Standard output .* \(ENOSPC/)],
  ]);
});

it.each(['<html>', '{}'])(
  'npm start says that the store does not work if it responds with %s',
  async (body) => {
    const noStore = createServer((_, response) => response.end(body));
    const AWS_ENDPOINT_URL_DYNAMODB = await startServer(noStore);
    const message = await messageOfFailedStart([], { AWS_ENDPOINT_URL_DYNAMODB });
    expect(message).toMatch(/^The store at http:\S+ does not work \(\w+\)\. Start it, or unset /);
    await stopServer(noStore);
  },
);

describe('npm start says what is wrong if', () => {
  const state = join(project.folder, '.local');
  const remove = (): void => {
    rmSync(state, { recursive: true, force: true });
  };
  beforeEach(remove);
  afterEach(remove);

  it('.local is a file', async () => {
    writeFileSync(state, '');
    expect(await messageOfFailedStart()).toMatch(
      /^ENOTDIR: not a directory, open '.*\.local\/issuer-key\.json'$/,
    );
  });

  const keyFile = join(state, 'issuer-key.json');
  const invalidKey =
    `${keyFile} does not hold an Ed25519 private key. ` + 'Delete it; the next npm start creates a new one.';

  it('its key file is a folder', async () => {
    mkdirSync(keyFile, { recursive: true });
    expect(await messageOfFailedStart()).toBe(invalidKey);
  });

  it('its key file is a link to nothing', async () => {
    mkdirSync(state);
    symlinkSync('nothing', keyFile);
    expect(await messageOfFailedStart()).toBe(invalidKey);
  });

  const { privateKey: ed25519 } = generateKeyPairSync('ed25519');
  const fields = { kid: 'key', alg: 'EdDSA' };
  const jwk = { ...ed25519.export({ format: 'jwk' }), ...fields };
  const jwkOf = (key: KeyObject): string => JSON.stringify({ ...key.export({ format: 'jwk' }), ...fields });
  it.each([
    ['is empty', ''],
    ['is not JSON', ed25519.export({ format: 'pem', type: 'pkcs8' }).toString()],
    ['is null', 'null'],
    ['is damaged', JSON.stringify({ ...jwk, d: 'a' })],
    ['has the public half of another key', JSON.stringify({ ...jwk, x: 'a'.repeat(43) })],
    ['has no id', JSON.stringify({ ...jwk, kid: '' })],
    ['is of the curve Ed448', jwkOf(generateKeyPairSync('ed448').privateKey)],
    ['is of the curve X25519', jwkOf(generateKeyPairSync('x25519').privateKey)],
    ['is of the curve P-256', jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
    ['is for RSA', jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)],
    ['names another algorithm', JSON.stringify({ ...jwk, alg: 'ES256' })],
  ])('its key %s', async (_, content) => {
    mkdirSync(state);
    writeFileSync(keyFile, content);
    expect(await messageOfFailedStart()).toBe(invalidKey);
  });
});

/** A program in place of `node` that rejects TypeScript as version 20 does. */
const oldNode = `#!/bin/sh
for argument; do
  case $argument in
    -*) ;;
    *.ts) echo ERR_UNKNOWN_FILE_EXTENSION >&2; exit 1 ;;
    *) break ;;
  esac
done
exec '${process.execPath}' "$@"
`;
writeFileSync(join(project.folder, 'node'), oldNode, { mode: 0o755 });
/** A PATH in which the old Node.js is the first, and which has no packages of the project. */
const pathWithOldNode = [
  project.folder,
  ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules')),
];
const withOldNode = { PATH: pathWithOldNode.join(delimiter) };

it('npx cdk runs the app with an old Node.js', async () => {
  const list = ['-c', 'CDK_VALIDATION=false npx cdk ls --context stage=dev'];
  const { code, output } = await runCommand('sh', project.folder, list, withOldNode).ended;
  expect(output).toMatch(/^PlantStore-dev$/m);
  expect(code).toBe(0);
});

describe('npm start', () => {
  const bin = join(project.folder, 'node_modules/.bin');
  const install = (files: Readonly<Record<string, string>>, mode = 0o755): void => {
    for (const [file, content] of Object.entries(files))
      writeFileSync(join(bin, file), content, { mode, encoding: 'latin1' });
  };
  beforeEach(() => {
    rmSync(join(project.folder, 'node_modules'), { recursive: true });
    mkdirSync(bin, { recursive: true });
  });

  it.each<[what: string, files: Readonly<Record<string, string>>, link?: string]>([
    ['are missing', {}],
    ['may not be executed', { node: oldNode }],
    ['are links to nothing', {}, '../node/bin/node'],
  ])('says in one line what to run when the packages of the project %s', async (_, files, link) => {
    install(files, 0o644);
    if (link !== undefined) symlinkSync(link, join(bin, 'node'));
    expect(await messageOfFailedStart([], withOldNode)).toBe(
      "This project's packages are not installed. Run npm ci first. " +
        'If settings of npm exclude some: npm ci --include=dev --ignore-scripts=false',
    );
  });

  it.each<[system: string, files: Readonly<Record<string, string>>]>([
    ['another processor', { node: '\x7fELF\x02\x01\x01\0' }],
    ['macOS', { node: '\xcf\xfa\xed\xfe\x07\0\0\x01' }],
    ['another C library', { node: '#!/nowhere/ld-musl\n' }],
    ['Windows', { node: oldNode, 'node.cmd': '' }],
  ])(
    'refuses packages that were installed on %s, and does not fall back to another Node.js',
    async (_, files) => {
      install(files);
      expect(await messageOfFailedStart([], withOldNode)).toBe(
        "This project's packages were installed on another system: " +
          'run npm ci on this one, in a separate checkout.',
      );
    },
  );
});

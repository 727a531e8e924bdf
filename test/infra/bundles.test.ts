import { execFile } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { bundleInto } from '../../infra/bundle.ts';
import { operations } from '../../infra/operations.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rsaKey } from '../support/signing-keys.ts';

const bundles = temporaryFolder();
const functions = ['authorizer', ...operations.map(({ folder }) => folder)];
const codeOf = (name: string): string => join(bundles, `${name}-with-source-maps`, 'index.js');

beforeAll(() => {
  const bundle = bundleInto(bundles, true);
  for (const folder of functions) bundle(folder);
  // The bundles are CommonJS. Node.js assumes that on Lambda, where no package.json says otherwise.
  writeFileSync(join(bundles, 'package.json'), '{"type":"commonjs"}');
});

/** The files that the bundle of a function was made of. */
const sourcesOf = (name: string): readonly string[] =>
  z.object({ sources: z.array(z.string()) }).parse(JSON.parse(readFileSync(`${codeOf(name)}.map`, 'utf8')))
    .sources;

it.each(functions)('the bundle of %s has only its own sources, shared sources and libraries', (name) => {
  const ownFiles = sourcesOf(name).filter((source) => !source.includes('node_modules/'));
  const folders = new Set(ownFiles.map((source) => /functions\/[^/]+|table/.exec(source)?.[0] ?? source));
  const operationFolders = name === 'authorizer' ? [] : ['functions/plant-store', 'functions/dynamodb'];
  const shared = ['functions/http', 'functions/runtime', 'table', ...operationFolders];
  expect(folders).toContain(`functions/${name}`);
  expect([...folders].filter((folder) => ![`functions/${name}`, ...shared].includes(folder))).toEqual([]);
});

it('the bundle of the list is below 24 KB, and that of the authorizer below 28 KB', () => {
  expect(statSync(codeOf('list-plants')).size).toBeLessThan(24_000);
  expect(statSync(codeOf('authorizer')).size).toBeLessThan(28_000);
});

/** Loads a function as Lambda does, calls it once, and then prints which modules of Node.js are loaded. */
const invokeAndListModules = `
  const [file, event] = process.argv.slice(1);
  import(file)
    .then(({ handler }) => Promise.resolve(handler(JSON.parse(event), {})).catch(() => undefined))
    .then(() => console.log('\\n' + process.moduleLoadList.join(' ')))
    .then(() => process.exit());`;

it('the bundle of the hook, which has no warm-up, exports a handler', async () => {
  bundleInto(bundles, false)('pre-traffic-hook');
  expect(await import(join(bundles, 'pre-traffic-hook/warm.mjs'))).toHaveProperty('handler');
});

/** Invokes a function once. Returns the modules that it loaded, and how often it fetched the key set. */
const invokeOnce = async (name: string) => {
  let fetches = 0;
  const issuer = createServer((_, response) => {
    fetches += 1;
    response.end(JSON.stringify({ keys: [rsaKey('k').jwk] }));
  });
  const jwksUri = await startServer(issuer);
  const event = {
    requestContext: { authorizer: { lambda: { subject: 'alice', groups: [], expiresAt: 4e9 } } },
    // This token is denied without a key, so only the warm-up fetches the key set.
    identitySource: ['Bearer x'],
  };
  const unused = 'https://127.0.0.1:1';
  const env = {
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    ...{ TABLE_NAME: 'Plants', AWS_ENDPOINT_URL_DYNAMODB: unused, JWKS_URI: jwksUri, TOKEN_ISSUER: unused },
    ...{ TOKEN_PROFILE: 'rfc9068', AUDIENCE: 'a', TOKEN_ALGORITHMS: 'RS256', GROUPS_CLAIM: 'groups' },
  };
  const file = codeOf(name).replace('index.js', 'warm.mjs');
  const parameters = ['-e', invokeAndListModules, file, JSON.stringify(event)];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { env });
  await stopServer(issuer);
  return { loadedModules: stdout.trim().split('\n').at(-1) ?? '', fetches };
};

it.each(functions)('%s loads https, but not undici, which costs 20 ms', async (name) => {
  const { loadedModules } = await invokeOnce(name);
  expect(loadedModules).toContain('https');
  expect(loadedModules).not.toContain('undici');
});

// Other operations may load the AWS SDK, which loads zlib.
it.each(['authorizer', 'list-plants'])('%s does not load zlib', async (name) => {
  expect((await invokeOnce(name)).loadedModules).not.toContain('zlib');
});

it('the authorizer fetches the key set once, before its first event', async () => {
  expect((await invokeOnce('authorizer')).fetches).toBe(1);
});

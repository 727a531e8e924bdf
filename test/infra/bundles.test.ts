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
import { rsaKey } from '../support/tokens.ts';

const bundles = temporaryFolder();
const functions = ['authorizer', ...operations.map(({ folder }) => folder)];
const codeOf = (name: string): string => join(bundles, `${name}-with-source-maps`, 'index.js');

beforeAll(() => {
  const bundle = bundleInto(bundles, true);
  for (const folder of functions) bundle(folder);
  // The bundles are CommonJS; on Lambda there is no package.json beside them.
  writeFileSync(join(bundles, 'package.json'), '{"type":"commonjs"}');
});

/** The files that the bundle of a function was made of. */
const sourcesOf = (name: string): readonly string[] =>
  z.object({ sources: z.array(z.string()) }).parse(JSON.parse(readFileSync(`${codeOf(name)}.map`, 'utf8')))
    .sources;

it.each(functions)('the bundle of %s has only its own sources, shared ones and libraries', (name) => {
  const ownFiles = sourcesOf(name).filter((source) => !source.includes('node_modules/'));
  const folders = new Set(ownFiles.map((source) => /functions\/[^/]+|table/.exec(source)?.[0] ?? source));
  const ofOperations = name === 'authorizer' ? [] : ['functions/plant-store', 'functions/dynamodb'];
  const shared = ['functions/http', 'functions/runtime', 'table', ...ofOperations];
  expect(folders).toContain(`functions/${name}`);
  expect([...folders].filter((folder) => ![`functions/${name}`, ...shared].includes(folder))).toEqual([]);
});

it('the bundle of the list is below 24 KB, and that of the authorizer below 28 KB', () => {
  expect(statSync(codeOf('list-plants')).size).toBeLessThan(24_000);
  expect(statSync(codeOf('authorizer')).size).toBeLessThan(28_000);
});

/** Loads a function as Lambda does, calls it once, and prints which modules of Node.js are loaded then. */
const invokeAndListModules = `
  const [file, event] = process.argv.slice(1);
  import(file)
    .then(({ handler }) => Promise.resolve(handler(JSON.parse(event), {})).catch(() => undefined))
    .then(() => console.log('\\n' + process.moduleLoadList.join(' ')))
    .then(() => process.exit());`;

it('the hook’s bundle loads without a warm-up', async () => {
  bundleInto(bundles, false)('pre-traffic-hook');
  expect(await import(join(bundles, 'pre-traffic-hook/warm.mjs'))).toHaveProperty('handler');
});

it.each(functions)('%s warms up before its first event, without undici, which costs 20 ms', async (name) => {
  let fetches = 0;
  const issuer = createServer((_, response) => {
    fetches += 1;
    response.end(JSON.stringify({ keys: [rsaKey('k').jwk] }));
  });
  const jwksUri = await startServer(issuer);
  const event = {
    requestContext: { authorizer: { lambda: { subject: 'alice', groups: [], expiresAt: 4e9 } } },
    // Denied without a key: only the warm-up fetches them.
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
  const loaded = stdout.trim().split('\n').at(-1) ?? '';
  expect(loaded).toContain('https');
  expect(loaded).not.toContain('undici');
  // The AWS SDK, with which an operation may write, loads zlib.
  if (['authorizer', 'list-plants'].includes(name)) expect(loaded).not.toContain('zlib');
  expect(fetches).toBe(name === 'authorizer' ? 1 : 0);
  await stopServer(issuer);
});

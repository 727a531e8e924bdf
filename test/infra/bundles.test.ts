import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type BundledFunction, bundleFunctions } from '../../local/stack/bundle.ts';
import { operations } from '../support/operations.ts';
import { localStack } from '../support/synthesized.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
let functions: readonly BundledFunction[];
beforeAll(async () => {
  functions = await bundleFunctions(localStack().functions, folder);
  // The bundles are CommonJS; on Lambda there is no package.json beside them.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('a function’s bundle is small, and has only its own sources, shared ones and libraries', () => {
  const bundles = functions.map(({ codeFolder }) => {
    const { sources } = z
      .object({ sources: z.array(z.string()) })
      .parse(JSON.parse(readFileSync(join(codeFolder, 'index.js.map'), 'utf8')));
    const own = sources.filter((source) => !source.includes('node_modules/'));
    return {
      from: [...new Set(own.map((source) => /functions\/[^/]+|table/.exec(source)?.[0] ?? source))].sort(),
      bytes: statSync(join(codeFolder, 'index.js')).size,
    };
  });
  const shared = ['functions/http', 'functions/plant-store', 'functions/shared', 'table'];
  expect(bundles.map(({ from }) => from).sort()).toEqual(
    [
      ['functions/authorizer', 'functions/shared', 'table'],
      ...operations.map((operation) => [...shared, `functions/${operation.folder}`].sort()),
    ].sort(),
  );
  const sizeOf = (name: string): number => bundles.find(({ from }) => from.includes(name))?.bytes ?? Infinity;
  expect(sizeOf('functions/list-plants')).toBeLessThan(24_000);
  expect(sizeOf('functions/authorizer')).toBeLessThan(13_000);
});

/** Calls a bundle's handler once, and prints which modules of Node.js are loaded afterwards. */
const invokeAndListModules = `
  const [file, event] = process.argv.slice(1);
  Promise.resolve(require(file).handler(JSON.parse(event), {}))
    .catch(() => undefined)
    .finally(() => console.log(process.moduleLoadList.join(' ')));`;

it('a function runs without undici, which costs 20 ms of a cold start', async () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const event = {
    requestContext: { authorizer: { lambda: { subject: 'alice', groups: [], expiresAt: 4e9 } } },
    identitySource: [`Bearer ${part({ alg: 'RS256', kid: 'k' })}.${part({})}.AA`],
  };
  // Each function connects to this address, where nothing listens.
  const unused = 'https://127.0.0.1:1';
  const keys = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  expect(functions).toHaveLength(1 + operations.length);
  for (const { codeFolder, environment } of functions) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['-e', invokeAndListModules, join(codeFolder, 'index.js'), JSON.stringify(event)],
      { env: { ...environment, ...keys, AWS_ENDPOINT_URL_DYNAMODB: unused, JWKS_URI: unused } },
    );
    const loaded = stdout.trim().split('\n').at(-1) ?? '';
    expect(loaded).toContain('https');
    expect(loaded).not.toContain('undici');
  }
});

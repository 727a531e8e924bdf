// The suite `soak` proves: after thousands of requests, some bad, some while the store or the issuer fails,
// the heaps of the functions have not grown. It cannot show days without requests, memory outside the heap,
// or an environment that Lambda froze.
import { beforeAll, describe, expect, it } from 'vitest';
import { type BundledFunction, bundleFunctions } from '../../../local/stack/bundle.ts';
import { localStack } from '../../support/synthesized.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { authorizer } from './authorizer.ts';
import { startUnderLoad } from './function-under-load.ts';
import { listFunction } from './list-function.ts';
import { growthOf } from './soak.ts';

/** In bytes: half of what the second half of 10,000 requests leaks at 100 bytes each. */
const maxGrowth = 250_000;

const folder = temporaryFolder();
let functions: readonly BundledFunction[];
beforeAll(async () => {
  functions = await bundleFunctions(localStack().functions, folder);
});

// The time limit is for 200,000 requests on a busy machine.
describe.concurrent('the heap', { timeout: 7_200_000 }, () => {
  it.each([
    ['the list function', () => listFunction(functions)],
    ['the authorizer', () => authorizer(functions)],
  ])('of %s does not grow', async (name, start) => {
    expect(await growthOf(name, await start())).toBeLessThan(maxGrowth);
  });

  it.each([
    ['an array', 'held.push(Array(7).fill(0))'],
    ['a buffer', 'held.push(new ArrayBuffer(100))'],
  ])('grows when each request leaks %s of 100 bytes', async (what, leak) => {
    const { invoke, ...started } = await startUnderLoad(functions, 'JWKS_URI', leak);
    const invocation = { event: { identitySource: ['Basic x'] }, nowMs: Date.now(), remainingMs: 5000 };
    const send = async (): Promise<void> => {
      expect(await invoke(invocation)).toMatchObject({ isAuthorized: false });
    };
    expect(await growthOf(what, { send, ...started })).toBeGreaterThan(maxGrowth);
  });
});

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFunctions } from '../../../local/lambda/functions.ts';
import { InvocationError } from '../../../local/lambda/invocation.ts';
import { type LambdaFunction, lambdaFunction } from '../../../local/lambda/lambda-function.ts';
import type { BundledFunction } from '../../../local/stack/bundle.ts';

let folder: string;
let running: LambdaFunction | undefined;
let logged: string[];
beforeEach(() => {
  logged = [];
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  running?.retire();
  rmSync(folder, { recursive: true });
});

type Variables = Readonly<Record<string, string>>;

/** A function with this code. */
const define = (code: string, timeout: number, environment: Variables): BundledFunction => {
  writeFileSync(join(folder, 'index.js'), code);
  const source = { entry: '', sourceMaps: false };
  const handler = 'index.handler';
  return { id: 'Test', source, codeFolder: folder, handler, timeout, memorySize: 128, environment };
};

const start = (code: string, timeout = 10, environment: Variables = {}): LambdaFunction => {
  running = lambdaFunction(define(code, timeout, environment), environment, (line) => logged.push(line));
  return running;
};

describe('a function on this machine', () => {
  it('receives the event and a context, and returns a result through JSON', async () => {
    const run = start(`exports.handler = async (event, context) => ({
      event, when: new Date(0), gone: undefined, name: context.functionName,
      hasDeadline: context.getRemainingTimeInMillis() <= 10000 });`);
    expect(await run.invoke({ a: 1 })).toEqual({
      event: { a: 1 },
      when: '1970-01-01T00:00:00.000Z',
      name: 'Test',
      hasDeadline: true,
    });
  });

  it('has its own environment, without this process’s variables', async () => {
    vi.stubEnv('PLANT_STORE_TEST', 'outside');
    const run = start('exports.handler = async () => ({ ...process.env });', 10, { TABLE_NAME: 'plants' });
    expect(await run.invoke({})).toEqual({ TABLE_NAME: 'plants' });
  });

  it('has local values in place of the variables that it declares, and no others', async () => {
    const definition = define('exports.handler = async () => process.env;', 10, { TABLE_NAME: 'plants' });
    const overrides = { TABLE_NAME: 'local', JWKS_URI: 'http://127.0.0.1' };
    const functions = startFunctions([definition], overrides);
    const variables = await functions.invoke('Test', {});
    functions.retire();
    expect(variables).toMatchObject({ TABLE_NAME: 'local', AWS_LAMBDA_FUNCTION_NAME: 'Test' });
    expect(variables).not.toHaveProperty('JWKS_URI');
  });

  it('keeps its state between requests, one request at a time per environment', async () => {
    const run = start(`let count = 0, busy = false; exports.handler = async () => {
      if (busy) throw new Error('two at once'); busy = true;
      await new Promise((resolve) => setTimeout(resolve, 20)); busy = false; return ++count; };`);
    expect([await run.invoke({}), await run.invoke({})]).toEqual([1, 2]);
    await expect(Promise.all(Array.from({ length: 30 }, () => run.invoke({})))).resolves.toHaveLength(30);
  });

  it.each([
    ['throws', `exports.handler = async () => { throw new Error('x'); };`],
    ['ends its process', 'exports.handler = async () => process.exit(3);'],
    ['cannot be loaded', 'throw new Error("at load");'],
    ['exports no handler', 'exports.other = 1;'],
  ])('fails each invocation with an InvocationError when it %s', async (_what, code) => {
    const run = start(code);
    await expect(run.invoke({})).rejects.toThrow(InvocationError);
    await expect(run.invoke({})).rejects.toThrow(InvocationError);
  });

  it('still works right after it was retired', async () => {
    const run = start('exports.handler = async () => 1;');
    await run.invoke({});
    run.retire();
    expect(await run.invoke({})).toBe(1);
  });

  it('is stopped at its timeout, even in a loop, and then restarted', async () => {
    const run = start(
      `let used = 0; exports.handler = async ({ file }) => {
      used += 1; if (file) for (;;) require('fs').appendFileSync(file, '.'); return used; };`,
      5,
    );
    const file = join(folder, 'log');
    await expect(run.invoke({ file })).rejects.toThrow(InvocationError);
    expect(logged).toEqual(['Test: Task timed out after 5.00 seconds.']);
    expect(await run.invoke({})).toBe(1);
    const grows = async (): Promise<boolean> => {
      const before = statSync(file).size;
      await delay(50);
      return statSync(file).size > before;
    };
    await expect.poll(grows).toBe(false);
  });

  it('cannot return more than 6 MB', async () => {
    const run = start(`exports.handler = async (bytes) => 'x'.repeat(bytes);`);
    expect(await run.invoke(6 * 1024 * 1024 - 2)).toHaveLength(6 * 1024 * 1024 - 2);
    await expect(run.invoke(6 * 1024 * 1024 - 1)).rejects.toThrow(InvocationError);
    expect(logged).toEqual(['Test: The function returned more than 6 MB.']);
  });
});

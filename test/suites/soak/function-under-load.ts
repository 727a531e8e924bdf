import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFunctions } from '../../../local/lambda/functions.ts';
import { handlerOf } from '../../../local/lambda/lambda-function.ts';
import type { BundledFunction } from '../../../local/stack/bundle.ts';
import { type FakeServer, startFakeServer } from '../../support/fake-server.ts';
import type { Invocation } from './measured.ts';
import type { Target } from './soak.ts';

/** A function in a worker of its own, which handles one request at a time as on Lambda. */
export interface FunctionUnderLoad extends Omit<Target, 'send'> {
  readonly invoke: (invocation: Invocation) => Promise<unknown>;
  readonly server: FakeServer;
}

/**
 * Starts the function that has this variable.
 * @param leak an expression that each invocation evaluates; it can keep values in the array `held`
 */
export const startUnderLoad = async (
  functions: readonly BundledFunction[],
  variable: 'AWS_ENDPOINT_URL_DYNAMODB' | 'JWKS_URI',
  leak = 'undefined',
): Promise<FunctionUnderLoad> => {
  const server = await startFakeServer(() => Promise.reject(new Error('It does not respond yet.')));
  const overrides = { [variable]: server.url, TOKEN_ISSUER: server.url, AUDIENCE: 'plants' };
  const definition = functions.find(({ environment }) => variable in environment);
  if (definition === undefined) throw new Error(`No function has the variable ${variable}.`);
  const { id, codeFolder } = definition;
  const wrapper = crypto.randomUUID();
  writeFileSync(
    join(codeFolder, `${wrapper}.mjs`),
    `import { measured } from '${new URL('measured.ts', import.meta.url).href}';
import { handler } from '${handlerOf(definition)[0]}';
const held = [];
export const underLoad = measured((...parameters) => (${leak}, handler(...parameters)));
`,
  );
  const wrapped = { ...definition, handler: `${wrapper}.underLoad` };
  const { invoke, retire } = startFunctions([wrapped], overrides, () => undefined);
  return {
    server,
    invoke: (invocation) => invoke(id, invocation),
    heap: async () => Number(await invoke(id, 'heap')),
    end: () => {
      retire();
      return server.close();
    },
  };
};

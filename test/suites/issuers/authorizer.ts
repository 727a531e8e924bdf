import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Stage } from '../../../infra/stage.ts';
import { startFunctions } from '../../../local/lambda/functions.ts';
import type { BundledFunction } from '../../../local/stack/bundle.ts';
import { authorizerEvent } from '../../../local/gateway/event.ts';
import type { BundledStack } from '../../support/bundled-stack.ts';
import { credentials } from '../../support/table/dynamodb-table.ts';
import { localStack, stageNamed } from '../../support/synthesized.ts';
import type { Caller } from './issuer-under-test.ts';

/** The bundled functions of a stack, with the environment that CDK gives them for this record of tokens. */
export const withTokens = (stack: BundledStack, tokens: Stage['tokens']): BundledStack => {
  const { functions } = localStack({ ...stageNamed('local'), tokens });
  const environments = new Map(functions.map(({ id, environment }) => [id, environment]));
  return {
    ...stack,
    functions: stack.functions.map((each) => ({
      ...each,
      environment: environments.get(each.id) ?? each.environment,
    })),
  };
};

const callerSchema = z.object({
  subject: z.string(),
  groups: z.array(z.string()).transform((groups) => groups.toSorted()),
});

const decisionSchema = z.object({
  decision: z.object({ isAuthorized: z.boolean(), context: callerSchema.optional() }),
  log: z.array(z.looseObject({ event: z.string(), reason: z.string().optional() })),
});

/** What the authorizer decides, and why it denies. */
export interface Decision {
  readonly isAuthorized: boolean;
  readonly caller?: Caller;
  readonly reason?: string;
}

/** One warm execution environment of the bundled authorizer. */
export interface Authorizer {
  /** @param secondsLater how far its clock is ahead of this machine's */
  readonly decide: (token: string, secondsLater?: number) => Promise<Decision>;
  readonly end: () => void;
}

/** Starts the bundled authorizer of a stack. */
export const startAuthorizer = ({ api, functions }: BundledStack): Authorizer => {
  const ids = new Set(api.routes.map(({ authorizer }) => authorizer?.functionId));
  const definition = functions.find(({ id }) => ids.has(id));
  if (definition === undefined) throw new Error('The stack has no authorizer.');
  const { remove, ...clocked } = withClock(definition);
  const { invoke, retire } = startFunctions([clocked], { credentials, overrides: {}, onLog: console.error });
  return {
    decide: async (token, secondsLater = 0) => {
      const authorization = `Bearer ${token}`;
      const request = {
        id: 'request',
        method: 'GET',
        path: '/plants',
        query: '',
        headers: { authorization },
        sourceIp: '127.0.0.1',
      };
      const event = { ...authorizerEvent(request, 'GET /plants', [authorization]), secondsLater };
      const { decision, log } = decisionSchema.parse(await invoke(clocked.id, event));
      const { isAuthorized, context: caller } = decision;
      const [entry] = log;
      return {
        isAuthorized,
        ...(caller && { caller }),
        ...(entry && { reason: entry.reason ?? entry.event }),
      };
    },
    end: () => {
      retire();
      remove();
    },
  };
};

/** The function in a module that sets its clock, and returns what it logs. */
const withClock = (definition: BundledFunction): BundledFunction & { readonly remove: () => void } => {
  const [, exportName = ''] = definition.handler.split('.');
  const codeFolder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  writeFileSync(
    join(codeFolder, 'clocked.js'),
    `const systemTime = Date.now;
     const handler = require(${JSON.stringify(join(definition.codeFolder, 'index.js'))}).${exportName};
     exports.handler = async ({ secondsLater, ...event }, context) => {
       Date.now = () => systemTime() + secondsLater * 1000;
       const log = [];
       for (const level of ['info', 'warn', 'error']) console[level] = (entry) => log.push(entry);
       const getRemainingTimeInMillis = () => context.getRemainingTimeInMillis() + secondsLater * 1000;
       return { decision: await handler(event, { ...context, getRemainingTimeInMillis }), log };
     };`,
  );
  return {
    ...definition,
    codeFolder,
    handler: 'clocked.handler',
    remove: () => {
      rmSync(codeFolder, { recursive: true });
    },
  };
};

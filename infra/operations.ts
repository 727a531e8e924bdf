import { existsSync, readFileSync } from 'node:fs';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** An operation of the API. The stack deploys it, and `npm start` runs it from its source. */
export interface OperationDefinition {
  /** The id of its function in the stack, a prefix of the ids of its resources and of its output. */
  readonly id: string;
  /** As in openapi.yaml: method, space, path, such as `GET /plants/{name}`. */
  readonly route: `${(typeof methods)[number]} /${string}`;
  /** The folder under `functions/` whose `handler.ts` runs. */
  readonly folder: string;
  readonly description: string;
  /** Exactly the actions on the table that it uses, at least one; default: `defaultActions`. */
  readonly actions?: readonly [`dynamodb:${string}`, ...`dynamodb:${string}`[]];
  /** What the release of each new version sends to it; default: no headers and no body. */
  readonly request?: {
    /** By names in lower case. Pages of the stage's origins may send headers of these names, too. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** What each new version must respond to a caller without other plants; `error` is in the body. */
  readonly withoutPlants:
    | { readonly statusCode: number; readonly body: string }
    | { readonly statusCode: number; readonly error: number };
}

/** What an operation that only lists needs of the table. */
export const defaultActions = ['dynamodb:Query'] as const;

/** The operations of the API. */
export const operations: readonly OperationDefinition[] = [
  {
    id: 'ListPlants',
    route: 'GET /plants',
    folder: 'list-plants',
    description: 'Lists the plants the caller has access to',
    withoutPlants: { statusCode: 200, body: '[]' },
  },
];

/** Shorter than the gateway's 30 s, longer than three attempts of 2 s at the store. */
export const operationTimeoutSeconds = 10;

/** Longer than a fetch of the key set, which takes 2 s at most. */
export const authorizerTimeoutSeconds = 5;

/** How long the gateway caches the authorizer's response for a token, in seconds; 0 disables the cache. */
export const authorizerCacheSeconds = 60;

/** A method and a path: segments of text or of one parameter, without a slash at the end. */
const routeSyntax = new RegExp(`^(${methods.join('|')}) /(([\\w.~-]+|\\{[a-zA-Z]\\w*\\})(/(?!$)|$))*$`);

// Node.js ignores types, and CDK is late. The line is the last one that has the operation's id or the text.
const taken = new Set<string>();
for (const { id, route, folder } of operations) {
  const refuseAt = (text: string, problem: string): never => {
    const lines = readFileSync(new URL(import.meta.url), 'utf8').split('\n');
    const line = lines.findLastIndex((each) => each.split(/['"`]/).some((part) => [id, text].includes(part)));
    throw new Error(`infra/operations.ts:${String(line + 1)}: ${problem}.`);
  };
  if (!routeSyntax.test(route)) refuseAt(route, `route "${route}" must be like GET /plants/{name}`);
  if (/(\{\w+\}).*\1/.test(route)) refuseAt(route, `route "${route}" has a parameter twice`);
  const shape = route.replaceAll(/\{\w+\}/g, '{}');
  if (taken.has(shape)) refuseAt(route, `route "${route}" is that of two operations`);
  if (taken.has(id)) refuseAt(id, `id "${id}" is that of two operations`);
  taken.add(shape).add(id);
  const handler = `functions/${folder}/handler.ts`;
  if (!existsSync(new URL(`../${handler}`, import.meta.url))) refuseAt(folder, `${handler} does not exist`);
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** An operation of the API. The stack deploys it, and `npm start` runs it from its source. */
export interface OperationDefinition {
  /** The id of its function in the stack, a prefix of the ids of its resources. */
  readonly id: string;
  /** As in openapi.yaml: method, space, path, such as `GET /plants/{name}`. */
  readonly route: `${Method} /${string}`;
  /** The folder under `functions/` whose `handler.ts` runs. */
  readonly folder: string;
  readonly description: string;
  /** What each new version must respond to a caller without plants; `error` is in the body. */
  readonly withoutPlants:
    | { readonly statusCode: 200; readonly body: string }
    | { readonly statusCode: number; readonly error: number };
  /** The name of the stack's output that holds the function's name. */
  readonly output: string;
}

/** The operations of the API. */
export const operations: readonly OperationDefinition[] = [
  {
    id: 'ListPlants',
    route: 'GET /plants',
    folder: 'list-plants',
    description: 'Lists the plants the caller has access to',
    withoutPlants: { statusCode: 200, body: '[]' },
    output: 'ListFunction',
  },
];

/** Shorter than the gateway's 30 s, longer than three attempts of 2 s at the store. */
export const operationTimeoutSeconds = 10;

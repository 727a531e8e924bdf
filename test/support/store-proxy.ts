import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { startServer, stopServer } from './loopback-server.ts';

/** A request in DynamoDB's protocol, by the name of its operation. */
export interface StoreRequest {
  readonly operation: string;
  readonly body: string;
  /** How many requests there were before it. */
  readonly index: number;
}

/** What happens at a request. `refuse` returns the name of the error that is the response, or undefined. */
export interface StoreFault {
  readonly refuse?: (request: StoreRequest) => string | undefined;
  /** Returns a response in place of the store's, or undefined. */
  readonly respond?: (request: StoreRequest) => object | undefined;
  readonly before?: (request: StoreRequest) => Promise<void>;
}

/** A store behind a proxy that counts. */
export interface WatchedStore {
  readonly endpoint: string;
  readonly requests: readonly StoreRequest[];
  /** Read units of all responses that name them. */
  readonly units: () => number;
}

const consumed = z.looseObject({ ConsumedCapacity: z.looseObject({ CapacityUnits: z.number() }).optional() });
const isWrite = (operation: string): boolean => /Write|Put|Update|Delete/.test(operation);

/** Refuses writes, as DynamoDB does without the right to write. */
export const withoutWriteAccess: StoreFault = {
  refuse: ({ operation }) => (isWrite(operation) ? 'AccessDeniedException' : undefined),
};

/** Puts a proxy in front of a store, and stops it after use. */
export const withWatchedStore = async <Result>(
  storeEndpoint: string,
  { refuse = () => undefined, respond = () => undefined, before = () => Promise.resolve() }: StoreFault,
  use: (store: WatchedStore) => Promise<Result>,
): Promise<Result> => {
  const requests: StoreRequest[] = [];
  let units = 0;
  const forward = async (operation: string, body: string, headers: Record<string, string>) => {
    const request = { operation, body, index: requests.length };
    requests.push(request);
    const error = refuse(request);
    if (error !== undefined)
      return { status: 400, content: JSON.stringify({ __type: `com.amazon#${error}`, message: 'Not now.' }) };
    const other = respond(request);
    if (other !== undefined) return { status: 200, content: JSON.stringify(other) };
    await before(request);
    const response = await fetch(storeEndpoint, { method: 'POST', headers, body });
    const content = await response.text();
    units += consumed.parse(JSON.parse(content)).ConsumedCapacity?.CapacityUnits ?? 0;
    return { status: response.status, content };
  };
  const server = createServer((message, response) => {
    const target = String(message.headers['x-amz-target']);
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      authorization: String(message.headers.authorization),
      'x-amz-date': String(message.headers['x-amz-date']),
    };
    void text(message)
      .then((body) => forward(target.split('.').at(-1) ?? '', body, headers))
      .then(({ status, content }) => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(content);
      });
  });
  try {
    return await use({ endpoint: await startServer(server), requests, units: () => units });
  } finally {
    await stopServer(server);
  }
};

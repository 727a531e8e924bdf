import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpReply } from '../../support/fake-server.ts';
import type { Change, FaultyServer } from './faulty-server.ts';

/** What a caller gets: plants, a status, or the `error` of a 400. */
export type Outcome = 'plants' | 'status 500' | 'error 2000' | 'error 2001' | 'error 2002';

/** A fault of the store or of the key set, and what a caller gets. */
export interface Fault {
  readonly name: string;
  readonly begin: (server: FaultyServer) => Promise<void> | void;
  /** The outcome if the store has the fault. Not set if the store cannot have it. */
  readonly store?: Outcome;
  /**
   * Whether `store` holds only for a Query. Other actions may succeed, because their responses are smaller or
   * lack the part that the fault changes.
   */
  readonly onlyForQuery?: true;
  /** The caller requests the long list, which takes several responses of the store. */
  readonly list?: 'long';
  /**
   * The outcome for a token of a key that is not cached, if the key set has the fault. Not set if it cannot.
   */
  readonly jwks?: Outcome;
}

type Begin = Fault['begin'];

/** Changes all responses of the server, or the next `times` responses. */
const changeResponses =
  (change: Change, times = Infinity): Begin =>
  ({ alter }) => {
    alter(change, times);
  };

/** Sends each response late. */
const addLatency = (seconds: number): Begin =>
  changeResponses(async (response) => {
    await delay(seconds * 1000);
    return response;
  });

/** The parts of a body, with a pause after each part. */
const partsOf = async function* (body: Buffer, bytes: number, pauseMs: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += bytes) {
    yield body.subarray(start, start + bytes);
    await delay(pauseMs, undefined, { ref: false });
  }
};

/** Sends the body in parts, with a pause after each part. */
const trickle = (bytes: number, pauseMs: number): Begin =>
  changeResponses((response) => ({
    ...response,
    body: Readable.from(partsOf(response.body, bytes, pauseMs)),
  }));

const limitBandwidth = trickle(100, 100);

/** Sends the start of a response, and ends the connection. */
const cutAfter = (start: string): Begin => changeResponses(() => Buffer.from(start));

const resetConnections = changeResponses(() => Promise.reject(new Error('reset')));

const neverRespond = changeResponses(() => new Promise(() => undefined));

const refuseConnections: Begin = ({ disable }) => disable();

const closeOpenConnections: Begin = async ({ disable, restore }) => {
  await disable();
  await restore();
};

const silenceOpenConnections: Begin = (server) => {
  server.silenceOpenConnections();
};

const respondWithStatus = (status: number, headers: HttpReply['headers'] = {}): Begin =>
  changeResponses(() => ({ status, headers, body: Buffer.alloc(0) }));

/** Responds with an error of DynamoDB (Amazon DynamoDB Developer Guide, "Error handling with DynamoDB"). */
const respondWithError = (status: number, type: string, times?: number): Begin =>
  changeResponses(
    () => ({
      status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` })),
    }),
    times,
  );

const html = Buffer.from('<!doctype html><title>Sign in to the network</title>');

const endlessSpaces = function* (): Generator<string> {
  for (;;) yield ' '.repeat(65_536);
};

/** Replaces a part of the body's JSON. */
const rewriteBody = (part: RegExp | string, replacement: string): Begin =>
  changeResponses((response) => ({
    ...response,
    body: Buffer.from(response.body.toString().replace(part, replacement)),
  }));

/** The caller gets plants. */
const harmless = { store: 'plants', jwks: 'plants' } as const;
/** The caller gets an error after which a retry can succeed. */
const transient = { store: 'error 2001', jwks: 'status 500' } as const;
/** The service does not retry, because the store would fail again. */
const permanent = { store: 'error 2000', jwks: 'status 500' } as const;

/** All faults. The timeout is 2 s for each of three attempts at the store, and for a fetch of the key set. */
export const faults: readonly Fault[] = [
  { name: 'connection refused', begin: refuseConnections, ...transient },
  { name: 'latency 1.5 s', begin: addLatency(1.5), ...harmless },
  { name: 'latency 1.5 s, long list', begin: addLatency(1.5), store: 'error 2002', list: 'long' },
  { name: 'latency 2.5 s', begin: addLatency(2.5), ...transient },
  { name: 'reset', begin: resetConnections, ...transient },
  { name: 'accepts, never responds', begin: neverRespond, ...transient },
  { name: 'stalls after the first bytes', begin: trickle(100, 60_000), ...transient },
  { name: 'bandwidth 1 KB/s', begin: limitBandwidth, ...harmless },
  { name: 'bandwidth 1 KB/s, long list', begin: limitBandwidth, store: 'error 2001', list: 'long' },
  { name: '20 bytes every 0.5 s', begin: trickle(20, 500), onlyForQuery: true, ...transient },
  { name: 'cut in the headers', begin: cutAfter('HTTP/1.1 200 OK\r\nContent-Type'), ...transient },
  {
    name: 'cut in the body',
    begin: cutAfter('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{'),
    ...transient,
  },
  { name: 'open connections closed, new ones work', begin: closeOpenConnections, store: 'plants' },
  { name: 'open connections gone silent, new ones work', begin: silenceOpenConnections, store: 'plants' },
  {
    name: 'wrong content type, valid body',
    begin: changeResponses((response) => ({
      ...response,
      headers: { ...response.headers, 'content-type': 'text/html' },
    })),
    ...harmless,
  },
  {
    name: '200 with HTML',
    begin: changeResponses(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: html })),
    ...transient,
  },
  { name: '200 with half the JSON', begin: rewriteBody(/.{9}$/s, ''), onlyForQuery: true, ...transient },
  { name: '200 with other JSON', begin: rewriteBody(/^.*$/s, '{}'), onlyForQuery: true, ...transient },
  {
    name: '200 with an endless body',
    begin: changeResponses(() => ({ status: 200, headers: {}, body: Readable.from(endlessSpaces()) })),
    ...transient,
  },
  // With an empty LastEvaluatedKey, the rest of the list cannot be read.
  {
    name: '200 with an empty LastEvaluatedKey',
    begin: rewriteBody(/\}$/, ',"LastEvaluatedKey":{}}'),
    onlyForQuery: true,
    store: 'error 2001',
  },
  {
    name: '200 with an item that is null',
    begin: rewriteBody('"Items":[', '"Items":[null,'),
    onlyForQuery: true,
    store: 'error 2001',
  },
  { name: '302', begin: respondWithStatus(302, { location: '/' }), ...permanent },
  {
    name: '400 AccessDeniedException',
    begin: respondWithError(400, 'AccessDeniedException'),
    store: 'error 2000',
  },
  {
    name: '400 ThrottlingException twice',
    begin: respondWithError(400, 'ThrottlingException', 2),
    store: 'plants',
  },
  {
    name: '400 ThrottlingException',
    begin: respondWithError(400, 'ThrottlingException'),
    store: 'error 2001',
  },
  {
    name: '500 InternalServerError twice',
    begin: respondWithError(500, 'InternalServerError', 2),
    store: 'plants',
  },
  { name: '503', begin: respondWithStatus(503), ...transient },
];

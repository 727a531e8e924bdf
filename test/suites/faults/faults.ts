import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpReply } from '../../support/fake-server.ts';
import type { Change, FaultyServer } from './faulty-server.ts';

/** A fault of a server, and the responses that callers get. */
export interface Fault {
  readonly name: string;
  readonly begin: (server: FaultyServer) => Promise<void> | void;
  /** With the fault at the store: 200, or the `error` of a 400. Not set where the fault makes no sense. */
  readonly store?: 200 | 2000 | 2001 | 2002;
  /** The outcome is that of a Query: the response of another action can survive the fault. */
  readonly isOfQuery?: true;
  /** Ask for the long list, which takes several responses of the store. */
  readonly list?: 'long';
  /** With the fault at the key set, for a key that is not cached. Not set where the fault makes no sense. */
  readonly jwks?: 200 | 500;
}

type Begin = Fault['begin'];

/** Changes the server's responses, or so many of them. */
const changed =
  (change: Change, times = Infinity): Begin =>
  ({ alter }) => {
    alter(change, times);
  };

const late = (seconds: number): Begin =>
  changed(async (good) => {
    await delay(seconds * 1000);
    return good;
  });

const parts = async function* (body: Buffer, bytes: number, everyMs: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += bytes) {
    yield body.subarray(start, start + bytes);
    await delay(everyMs, undefined, { ref: false });
  }
};

/** Sends the body in parts. */
const trickle = (bytes: number, everyMs: number): Begin =>
  changed((good) => ({ ...good, body: Readable.from(parts(good.body, bytes, everyMs)) }));

const bandwidth = trickle(100, 100);

/** Sends the start of a response, and ends the connection. */
const cutAfter = (start: string): Begin => changed(() => Buffer.from(start));

const reset = changed(() => Promise.reject(new Error('reset')));

const neverResponds = changed(() => new Promise(() => undefined));

const down: Begin = ({ disable }) => disable();

const reopened: Begin = async ({ disable, restore }) => {
  await disable();
  await restore();
};

const silenced: Begin = ({ silenceOpenConnections }) => {
  silenceOpenConnections();
};

const withStatus = (status: number, headers: HttpReply['headers'] = {}): Begin =>
  changed(() => ({ status, headers, body: Buffer.alloc(0) }));

/** An error as DynamoDB sends it (Amazon DynamoDB Developer Guide, "Error handling with DynamoDB"). */
const refused = (status: number, type: string, times?: number): Begin =>
  changed(
    () => ({
      status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` })),
    }),
    times,
  );

const html = Buffer.from('<!doctype html><title>Sign in to the network</title>');

const endless = function* (): Generator<string> {
  for (;;) yield ' '.repeat(65_536);
};

/** Replaces a part of the body's JSON. */
const rewritten = (part: RegExp | string, replacement: string): Begin =>
  changed((reply) => ({ ...reply, body: Buffer.from(reply.body.toString().replace(part, replacement)) }));

const good = { store: 200, jwks: 200 } as const;
const failed = { store: 2001, jwks: 500 } as const;
const rejected = { store: 2000, jwks: 500 } as const;

/** The bounds are 2 s for each of three attempts at the store and for a fetch of the key set. */
export const faults: readonly Fault[] = [
  { name: 'connection refused', begin: down, ...failed },
  { name: 'latency 1.5 s', begin: late(1.5), ...good },
  { name: 'latency 1.5 s, long list', begin: late(1.5), store: 2002, list: 'long' },
  { name: 'latency 2.5 s', begin: late(2.5), ...failed },
  { name: 'reset', begin: reset, ...failed },
  { name: 'accepts, never responds', begin: neverResponds, ...failed },
  { name: 'stalls after the first bytes', begin: trickle(100, 60_000), ...failed },
  { name: 'bandwidth 1 KB/s', begin: bandwidth, ...good },
  { name: 'bandwidth 1 KB/s, long list', begin: bandwidth, store: 2001, list: 'long' },
  { name: 'trickle, 20 bytes each 0.5 s', begin: trickle(20, 500), isOfQuery: true, ...failed },
  { name: 'cut in the headers', begin: cutAfter('HTTP/1.1 200 OK\r\nContent-Type'), ...failed },
  {
    name: 'cut in the body',
    begin: cutAfter('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{'),
    ...failed,
  },
  { name: 'open connections closed, new ones work', begin: reopened, store: 200 },
  { name: 'open connections gone silent, new ones work', begin: silenced, store: 200 },
  {
    name: 'wrong content type, good body',
    begin: changed((reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/html' } })),
    ...good,
  },
  {
    name: '200 with HTML',
    begin: changed(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: html })),
    ...failed,
  },
  { name: '200 with half the JSON', begin: rewritten(/.{9}$/s, ''), isOfQuery: true, ...failed },
  { name: '200 with other JSON', begin: rewritten(/^.*$/s, '{}'), isOfQuery: true, ...failed },
  {
    name: '200 with an endless body',
    begin: changed(() => ({ status: 200, headers: {}, body: Readable.from(endless()) })),
    ...failed,
  },
  // The rest of the list cannot be read.
  {
    name: '200 with an empty LastEvaluatedKey',
    begin: rewritten(/\}$/, ',"LastEvaluatedKey":{}}'),
    isOfQuery: true,
    store: 2001,
  },
  {
    name: '200 with an item that is null',
    begin: rewritten('"Items":[', '"Items":[null,'),
    isOfQuery: true,
    store: 2001,
  },
  { name: '302', begin: withStatus(302, { location: '/' }), ...rejected },
  { name: '400 AccessDeniedException', begin: refused(400, 'AccessDeniedException'), store: 2000 },
  { name: '400 ThrottlingException twice', begin: refused(400, 'ThrottlingException', 2), store: 200 },
  { name: '400 ThrottlingException', begin: refused(400, 'ThrottlingException'), store: 2001 },
  { name: '500 InternalServerError twice', begin: refused(500, 'InternalServerError', 2), store: 200 },
  { name: '503', begin: withStatus(503), ...failed },
];

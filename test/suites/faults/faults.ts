import { Readable } from 'node:stream';
import type { GoodReply, ReceivedRequest, Reply, Respond } from '../../support/fake-server.ts';
import type { FaultyServer } from './faulty-server.ts';

/** The response that a caller gets, and the requests that show it. */
interface Outcome {
  /** For how many seconds requests are sent, one after another; one request unless set. */
  readonly lasts?: number;
  /** With the fault at the store: 200, or the `error` of a 400. Not set where the fault makes no sense. */
  readonly store?: 200 | 2000 | 2001 | 2002;
  /** Ask for the long list, which takes several responses of the store. */
  readonly list?: 'long';
  /** With the fault at the key set, for a key that is not cached. Not set where the fault makes no sense. */
  readonly jwks?: 200 | 500;
}

/** A fault of the connections between a function and a server. */
export interface ConnectionFault extends Outcome {
  readonly name: string;
  readonly begin: (server: FaultyServer) => Promise<void> | void;
}

/** A fault of the server's responses. */
export interface ResponseFault extends Outcome {
  readonly name: string;
  readonly change: (good: GoodReply) => Reply;
  /** How many responses it changes; all unless set. */
  readonly times?: number;
}

export type Fault = ConnectionFault | ResponseFault;

/** Responds as a server with a fault does. */
export const withFault = (
  respond: (request: ReceivedRequest) => Promise<GoodReply>,
  { change, times = Infinity }: ResponseFault,
): Respond => {
  let left = times;
  return async (request) => {
    const good = await respond(request);
    return left-- > 0 ? change(good) : good;
  };
};

type Begin = ConnectionFault['begin'];
type Change = ResponseFault['change'];

const toxic =
  (type: string, attributes: Readonly<Record<string, number>>): Begin =>
  ({ proxy }) =>
    proxy.addToxic(type, attributes);

const late = (seconds: number): Begin => toxic('latency', { latency: seconds * 1000 });

const bandwidth = (rate: number): Begin => toxic('bandwidth', { rate });

const trickle = (bytes: number, everyMs: number): Begin =>
  toxic('slicer', { average_size: bytes, delay: everyMs * 1000 });

/** The server does not receive the request, so it never responds. */
const halfOpen: Begin = ({ proxy }) => proxy.addToxic('timeout', { timeout: 0 }, 'upstream');

const down: Begin = ({ proxy }) => proxy.disable();

const reopened: Begin = async ({ proxy }) => {
  await proxy.disable();
  await proxy.renew();
};

const silenced: Begin = ({ silenceOpenConnections }) => {
  silenceOpenConnections();
};

const withStatus =
  (status: number, headers: Reply['headers'] = {}): Change =>
  () => ({ status, headers, body: Buffer.alloc(0) });

/** An error as DynamoDB sends it (Amazon DynamoDB Developer Guide, "Error handling with DynamoDB"). */
const refused =
  (status: number, type: string): Change =>
  () => ({
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'No.' })),
  });

/** An error that the store's client retries: two of them delay the response, a third makes it fail. */
const retried = (status: number, type: string): readonly ResponseFault[] => {
  const name = `${String(status)} ${type}`;
  const change = refused(status, type);
  return [
    { name: `${name} twice`, change, times: 2, store: 200 },
    { name, change, store: 2001 },
  ];
};

const html = Buffer.from('<!doctype html><title>Sign in to the network</title>');

const half: Change = (good) => ({ ...good, body: good.body.subarray(0, good.body.length / 2) });

const endless = function* (): Generator<string> {
  for (;;) yield ' '.repeat(65_536);
};

/** Replaces a part of the body's JSON. */
const rewritten =
  (part: RegExp | string, replacement: string): Change =>
  (good) => ({ ...good, body: Buffer.from(good.body.toString().replace(part, replacement)) });

/** Adds a `LastEvaluatedKey` that is not a key, so that the rest of the list cannot be read. */
const withKey = (key: string): Change => rewritten(/\}$/, `,"LastEvaluatedKey":${key}}`);

const good = { store: 200, jwks: 200 } as const;
const failed = { store: 2001, jwks: 500 } as const;
const rejected = { store: 2000, jwks: 500 } as const;

/** The bounds are 2 s for each of three attempts at the store and for a fetch of the key set. */
export const connectionFaults: readonly ConnectionFault[] = [
  { name: 'connection refused for 30 s', begin: down, ...failed, lasts: 30 },
  { name: 'connection refused', begin: down, ...failed },
  { name: 'latency 0 s', begin: () => undefined, ...good },
  { name: 'latency 0.1 s', begin: late(0.1), ...good },
  { name: 'latency 0.5 s', begin: late(0.5), ...good },
  { name: 'latency 1 s', begin: late(1), ...good },
  { name: 'latency 1.5 s', begin: late(1.5), ...good },
  { name: 'latency 1.5 s, long list', begin: late(1.5), store: 2002, list: 'long' },
  { name: 'latency 2.5 s', begin: late(2.5), ...failed },
  { name: 'latency 5 s', begin: late(5), ...failed },
  { name: 'latency 20 s', begin: late(20), ...failed },
  { name: 'reset', begin: toxic('reset_peer', { timeout: 0 }), ...failed },
  { name: 'half-open: accepts, never responds', begin: halfOpen, ...failed },
  { name: 'stalls after the first bytes', begin: trickle(100, 60_000), ...failed },
  { name: 'bandwidth 1 KB/s', begin: bandwidth(1), ...good },
  { name: 'bandwidth 1 KB/s, long list', begin: bandwidth(1), store: 2001, list: 'long' },
  { name: 'trickle, 50 bytes each 10 ms', begin: trickle(50, 10), ...good },
  { name: 'trickle, 50 bytes each 0.5 s', begin: trickle(50, 500), ...failed },
  { name: 'cut after 10 bytes, in the status line', begin: toxic('limit_data', { bytes: 10 }), ...failed },
  { name: 'cut after 100 bytes, in the headers', begin: toxic('limit_data', { bytes: 100 }), ...failed },
  { name: 'cut after 250 bytes, in the body', begin: toxic('limit_data', { bytes: 250 }), ...failed },
  { name: 'open connections closed, new ones work', begin: reopened, store: 200 },
  { name: 'open connections gone silent, new ones work', begin: silenced, store: 200 },
];

/** The suite `soak` sends each of them many times. */
export const responseFaults: readonly ResponseFault[] = [
  {
    name: 'wrong content type, good body',
    change: (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/html' } }),
    ...good,
  },
  {
    name: '200 with HTML',
    change: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: html }),
    ...failed,
  },
  { name: '200 with half the JSON', change: half, ...failed },
  { name: '200 without a body', change: withStatus(200), ...failed },
  { name: '200 with other JSON', change: rewritten(/^.*$/s, '{}'), ...failed },
  {
    name: '200 with an endless body',
    change: () => ({ status: 200, headers: {}, body: Readable.from(endless()) }),
    ...failed,
  },
  { name: '200 with an empty LastEvaluatedKey', change: withKey('{}'), store: 2001 },
  { name: '200 with a LastEvaluatedKey that is null', change: withKey('null'), store: 2001 },
  { name: '200 with an item that is null', change: rewritten('"Items":[', '"Items":[null,'), store: 2001 },
  { name: '302', change: withStatus(302, { location: '/' }), ...rejected },
  { name: '400', change: withStatus(400), ...rejected },
  { name: '400 ValidationException', change: refused(400, 'ValidationException'), store: 2000 },
  { name: '400 AccessDeniedException', change: refused(400, 'AccessDeniedException'), store: 2000 },
  ...retried(400, 'ThrottlingException'),
  ...retried(400, 'ProvisionedThroughputExceededException'),
  { name: '429', change: withStatus(429), ...failed },
  ...retried(500, 'InternalServerError'),
  { name: '500', change: withStatus(500), ...failed },
  { name: '503', change: withStatus(503), ...failed },
];

/** Never responds; for the suite `soak`, which has no Toxiproxy. */
export const silent: ResponseFault = {
  name: 'silent',
  change: (reply) => ({ ...reply, body: new Readable({ read: () => undefined }) }),
  ...failed,
};

/** Closes the connection; for the suite `soak`, which has no Toxiproxy. */
export const closed: ResponseFault = {
  name: 'closed',
  change: (reply) => ({ ...reply, body: new Readable({ read: () => undefined }).destroy() }),
  ...failed,
};

import { Readable } from 'node:stream';
import type { Change, FaultyLink, Reply } from './faulty-link.ts';

/** Something that goes wrong between a function and the server it asks, and what the caller is to see of it. */
export interface Fault {
  readonly name: string;
  readonly begin: (link: FaultyLink) => Promise<void> | void;
  /** For how many seconds requests are sent one after another; one request unless set. */
  readonly lasts?: number;
  /** With the fault before the store: 200, or the `error` of a 400. Left out where the fault makes no sense there. */
  readonly store?: 200 | 2000 | 2001 | 2002;
  /** Ask the store for a list of many pages. */
  readonly list?: 'long' | undefined;
  /** With the fault before the key set, and no copy of it held. Left out where the fault makes no sense there. */
  readonly keySet?: 200 | 500;
}

type Begin = Fault['begin'];

const poisoned =
  (type: string, attributes: Readonly<Record<string, number>>): Begin =>
  ({ proxy }) =>
    proxy.poison(type, attributes);

const late = (seconds: number): Begin => poisoned('latency', { latency: seconds * 1000 });

/** The request itself is lost, so that not even the end of an answer comes back. */
const deaf: Begin = ({ proxy }) => proxy.poison('timeout', { timeout: 0 }, 'upstream');

const reopened: Begin = async ({ proxy }) => {
  await proxy.disable();
  await proxy.renew();
};

const silenced: Begin = (link) => {
  link.silenceOpenConnections();
};

/** The first so many answers are changed, or all. */
const changed =
  (change: Change, times = Infinity): Begin =>
  (link) => {
    let left = times;
    link.change((good) => (left-- > 0 ? change(good) : good));
  };

const withStatus = (status: number, headers: Reply['headers'] = {}): Begin =>
  changed(() => ({ status, headers, body: Buffer.alloc(0) }));

/** A refusal as DynamoDB words it (Amazon DynamoDB Developer Guide, "Error handling with DynamoDB"). */
const refused = (status: number, type: string, times?: number): Begin =>
  changed(
    () => ({
      status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(
        JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'No.' }),
      ),
    }),
    times,
  );

const html = Buffer.from('<!doctype html><title>Sign in to the network</title>');

const half: Change = (good) => ({ ...good, body: good.body.subarray(0, good.body.length / 2) });

const endless = function* (): Generator<string> {
  for (;;) yield ' '.repeat(65_536);
};

/** A last key without a place in the order: the rest of the list cannot be read. */
const withoutPlace: Change = (good) => ({
  ...good,
  body: Buffer.from(good.body.toString().replace(/\}$/, ',"LastEvaluatedKey":{}}')),
});

/** Every fault tried. The bounds are 2 s for each of three attempts at the store, and 2 s for a fetch of the key set. */
export const faults: readonly Fault[] = [
  { name: 'down for 30 s', begin: ({ proxy }) => proxy.disable(), lasts: 30, store: 2001, keySet: 500 },
  { name: 'nobody listens', begin: ({ proxy }) => proxy.disable(), store: 2001, keySet: 500 },
  { name: 'none', begin: () => undefined, store: 200, keySet: 200 },
  { name: 'latency 0.1 s', begin: late(0.1), store: 200, keySet: 200 },
  { name: 'latency 0.5 s', begin: late(0.5), store: 200, keySet: 200 },
  { name: 'latency 1 s', begin: late(1), store: 200, keySet: 200 },
  { name: 'latency 1.5 s', begin: late(1.5), store: 200, keySet: 200 },
  { name: 'latency 1.5 s, list of many pages', begin: late(1.5), list: 'long', store: 2002 },
  { name: 'latency 2.5 s', begin: late(2.5), store: 2001, keySet: 500 },
  { name: 'latency 5 s', begin: late(5), store: 2001, keySet: 500 },
  { name: 'latency 20 s', begin: late(20), store: 2001, keySet: 500 },
  { name: 'reset', begin: poisoned('reset_peer', { timeout: 0 }), store: 2001, keySet: 500 },
  {
    name: 'half-open: accepts, never answers',
    begin: deaf,
    store: 2001,
    keySet: 500,
  },
  {
    name: 'stalls after the first bytes',
    begin: poisoned('slicer', { average_size: 100, delay: 60_000_000 }),
    store: 2001,
    keySet: 500,
  },
  { name: 'bandwidth 1 KB/s', begin: poisoned('bandwidth', { rate: 1 }), store: 200, keySet: 200 },
  {
    name: 'bandwidth 1 KB/s, list of many pages',
    begin: poisoned('bandwidth', { rate: 1 }),
    list: 'long',
    store: 2001,
  },
  {
    name: 'trickle, 50 bytes each 10 ms',
    begin: poisoned('slicer', { average_size: 50, delay: 10_000 }),
    store: 200,
    keySet: 200,
  },
  {
    name: 'trickle, 50 bytes each 0.5 s',
    begin: poisoned('slicer', { average_size: 50, delay: 500_000 }),
    store: 2001,
    keySet: 500,
  },
  {
    name: 'cut after 10 bytes, in the status line',
    begin: poisoned('limit_data', { bytes: 10 }),
    store: 2001,
    keySet: 500,
  },
  {
    name: 'cut after 100 bytes, in the headers',
    begin: poisoned('limit_data', { bytes: 100 }),
    store: 2001,
    keySet: 500,
  },
  {
    name: 'cut after 300 bytes, in the body',
    begin: poisoned('limit_data', { bytes: 300 }),
    store: 2001,
    keySet: 500,
  },
  {
    name: 'open connections closed, new ones work',
    begin: reopened,
    store: 200,
  },
  {
    name: 'open connections gone silent, new ones work',
    begin: silenced,
    store: 200,
  },
  {
    name: 'wrong content type, good body',
    begin: changed((good) => ({ ...good, headers: { ...good.headers, 'content-type': 'text/html' } })),
    store: 200,
    keySet: 200,
  },
  {
    name: '200 with HTML',
    begin: changed(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: html })),
    store: 2001,
    keySet: 500,
  },
  { name: '200 with half the JSON', begin: changed(half), store: 2001, keySet: 500 },
  { name: '200 without a body', begin: withStatus(200), store: 2001, keySet: 500 },
  {
    name: '200 with other JSON',
    begin: changed((good) => ({ ...good, body: Buffer.from('{}') })),
    store: 2001,
    keySet: 500,
  },
  {
    name: '200 with an endless body',
    begin: changed(() => ({ status: 200, headers: {}, body: Readable.from(endless()) })),
    store: 2001,
    keySet: 500,
  },
  { name: '200 with a last key that names no place', begin: changed(withoutPlace), store: 2001 },
  { name: '302', begin: withStatus(302, { location: '/' }), store: 2000, keySet: 500 },
  { name: '400', begin: withStatus(400), store: 2000, keySet: 500 },
  { name: '400 ValidationException', begin: refused(400, 'ValidationException'), store: 2000 },
  { name: '400 AccessDeniedException', begin: refused(400, 'AccessDeniedException'), store: 2000 },
  { name: '400 ThrottlingException twice', begin: refused(400, 'ThrottlingException', 2), store: 200 },
  { name: '400 ThrottlingException', begin: refused(400, 'ThrottlingException'), store: 2001 },
  {
    name: '400 ProvisionedThroughputExceededException twice',
    begin: refused(400, 'ProvisionedThroughputExceededException', 2),
    store: 200,
  },
  {
    name: '400 ProvisionedThroughputExceededException',
    begin: refused(400, 'ProvisionedThroughputExceededException'),
    store: 2001,
  },
  { name: '429', begin: withStatus(429), store: 2001, keySet: 500 },
  { name: '500 InternalServerError twice', begin: refused(500, 'InternalServerError', 2), store: 200 },
  { name: '500 InternalServerError', begin: refused(500, 'InternalServerError'), store: 2001 },
  { name: '500', begin: withStatus(500), store: 2001, keySet: 500 },
  { name: '503', begin: withStatus(503), store: 2001, keySet: 500 },
];

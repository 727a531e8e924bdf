import { Readable } from 'node:stream';
import type { Change, FaultyLink, Reply } from './faulty-link.ts';

/** Something that goes wrong between a function and a server, and what the caller gets then. */
export interface Fault {
  readonly name: string;
  readonly begin: (link: FaultyLink) => Promise<void> | void;
  /** For how many seconds requests are sent, one after another; one request unless set. */
  readonly lasts?: number;
  /** With the fault at the store: 200, or the `error` of a 400. Not set where the fault makes no sense. */
  readonly store?: 200 | 2000 | 2001 | 2002;
  /** Ask the store for a list of many pages. */
  readonly list?: 'long';
  /** With the fault at the key set, and no copy of it held. Not set where the fault makes no sense. */
  readonly jwks?: 200 | 500;
}

type Begin = Fault['begin'];

const toxic =
  (type: string, attributes: Readonly<Record<string, number>>): Begin =>
  ({ proxy }) =>
    proxy.addToxic(type, attributes);

const late = (seconds: number): Begin => toxic('latency', { latency: seconds * 1000 });

/** The request is lost, so that nothing comes back. */
const deaf: Begin = ({ proxy }) => proxy.addToxic('timeout', { timeout: 0 }, 'upstream');

const reopened: Begin = async ({ proxy }) => {
  await proxy.disable();
  await proxy.renew();
};

const silenced: Begin = (link) => {
  link.silenceOpenConnections();
};

/** Changes the first responses, or all. */
const changed =
  (change: Change, times = Infinity): Begin =>
  (link) => {
    let left = times;
    link.change((good) => (left-- > 0 ? change(good) : good));
  };

const withStatus = (status: number, headers: Reply['headers'] = {}): Begin =>
  changed(() => ({ status, headers, body: Buffer.alloc(0) }));

/** An error as DynamoDB sends it (Amazon DynamoDB Developer Guide, "Error handling with DynamoDB"). */
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

/** A last key that is no position: the rest of the list cannot be read. */
const withKey =
  (key: string): Change =>
  (good) => ({
    ...good,
    body: Buffer.from(good.body.toString().replace(/\}$/, `,"LastEvaluatedKey":${key}}`)),
  });

const withNullItem: Change = (good) => ({
  ...good,
  body: Buffer.from(good.body.toString().replace('"Items":[', '"Items":[null,')),
});

const row = (
  name: string,
  begin: Begin,
  store: Fault['store'] | undefined,
  jwks: Fault['jwks'] | undefined,
  rest: Pick<Fault, 'lasts' | 'list'> = {},
): Fault => ({
  name,
  begin,
  ...(store !== undefined && { store }),
  ...(jwks !== undefined && { jwks }),
  ...rest,
});

/** Every fault tried. The bounds are 2 s for each of three attempts at the store, and 2 s for a fetch of the key set. */
export const faults: readonly Fault[] = [
  row('down for 30 s', ({ proxy }) => proxy.disable(), 2001, 500, { lasts: 30 }),
  row('nothing listens', ({ proxy }) => proxy.disable(), 2001, 500),
  row('none', () => undefined, 200, 200),
  row('latency 0.1 s', late(0.1), 200, 200),
  row('latency 0.5 s', late(0.5), 200, 200),
  row('latency 1 s', late(1), 200, 200),
  row('latency 1.5 s', late(1.5), 200, 200),
  row('latency 1.5 s, list of many pages', late(1.5), 2002, undefined, { list: 'long' }),
  row('latency 2.5 s', late(2.5), 2001, 500),
  row('latency 5 s', late(5), 2001, 500),
  row('latency 20 s', late(20), 2001, 500),
  row('reset', toxic('reset_peer', { timeout: 0 }), 2001, 500),
  row('half-open: accepts, never responds', deaf, 2001, 500),
  row('stalls after the first bytes', toxic('slicer', { average_size: 100, delay: 60_000_000 }), 2001, 500),
  row('bandwidth 1 KB/s', toxic('bandwidth', { rate: 1 }), 200, 200),
  row('bandwidth 1 KB/s, list of many pages', toxic('bandwidth', { rate: 1 }), 2001, undefined, {
    list: 'long',
  }),
  row('trickle, 50 bytes each 10 ms', toxic('slicer', { average_size: 50, delay: 10_000 }), 200, 200),
  row('trickle, 50 bytes each 0.5 s', toxic('slicer', { average_size: 50, delay: 500_000 }), 2001, 500),
  row('cut after 10 bytes, in the status line', toxic('limit_data', { bytes: 10 }), 2001, 500),
  row('cut after 100 bytes, in the headers', toxic('limit_data', { bytes: 100 }), 2001, 500),
  row('cut after 250 bytes, in the body', toxic('limit_data', { bytes: 250 }), 2001, 500),
  row('open connections closed, new ones work', reopened, 200, undefined),
  row('open connections gone silent, new ones work', silenced, 200, undefined),
  row(
    'wrong content type, good body',
    changed((good) => ({ ...good, headers: { ...good.headers, 'content-type': 'text/html' } })),
    200,
    200,
  ),
  row(
    '200 with HTML',
    changed(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: html })),
    2001,
    500,
  ),
  row('200 with half the JSON', changed(half), 2001, 500),
  row('200 without a body', withStatus(200), 2001, 500),
  row(
    '200 with other JSON',
    changed((good) => ({ ...good, body: Buffer.from('{}') })),
    2001,
    500,
  ),
  row(
    '200 with an endless body',
    changed(() => ({ status: 200, headers: {}, body: Readable.from(endless()) })),
    2001,
    500,
  ),
  row('200 with an empty LastEvaluatedKey', changed(withKey('{}')), 2001, undefined),
  row('200 with a LastEvaluatedKey that is null', changed(withKey('null')), 2001, undefined),
  row('200 with an item that is null', changed(withNullItem), 2001, undefined),
  row('302', withStatus(302, { location: '/' }), 2000, 500),
  row('400', withStatus(400), 2000, 500),
  row('400 ValidationException', refused(400, 'ValidationException'), 2000, undefined),
  row('400 AccessDeniedException', refused(400, 'AccessDeniedException'), 2000, undefined),
  row('400 ThrottlingException twice', refused(400, 'ThrottlingException', 2), 200, undefined),
  row('400 ThrottlingException', refused(400, 'ThrottlingException'), 2001, undefined),
  row(
    '400 ProvisionedThroughputExceededException twice',
    refused(400, 'ProvisionedThroughputExceededException', 2),
    200,
    undefined,
  ),
  row(
    '400 ProvisionedThroughputExceededException',
    refused(400, 'ProvisionedThroughputExceededException'),
    2001,
    undefined,
  ),
  row('429', withStatus(429), 2001, 500),
  row('500 InternalServerError twice', refused(500, 'InternalServerError', 2), 200, undefined),
  row('500 InternalServerError', refused(500, 'InternalServerError'), 2001, undefined),
  row('500', withStatus(500), 2001, 500),
  row('503', withStatus(503), 2001, 500),
];

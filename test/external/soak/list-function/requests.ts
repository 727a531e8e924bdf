import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { encodeCursor } from '../../../../functions/list-plants/http/cursor.ts';
import { sortKeyOf } from '../../../support/table/stored-plants.ts';
import { type Behaviour, plantName } from './faulty-store.ts';
import type { Kind } from '../mix.ts';

/** What a response must be. */
interface Expected {
  readonly status: number;
  /** The error of the Error body. */
  readonly error?: number;
  readonly plants?: number;
  readonly link?: true;
  readonly coding?: 'br' | 'gzip';
}

/** A kind of request to the list function. */
export interface ListKind extends Kind {
  readonly store: Behaviour;
  readonly groups?: number;
  readonly query?: string;
  readonly acceptEncoding?: string;
  /** Replaces the caller in the authorizer's context. */
  readonly caller?: 'none' | 'expired' | 'malformed';
  /** Milliseconds until the function must respond. */
  readonly respondWithinMs?: number;
  readonly expected: Expected;
}

const cursor = encodeCursor(sortKeyOf(plantName(1, 'short ~'), '1'));
const ok = (plants: number): Expected => ({ status: 200, plants });
const failure = (error: number, status = 400): Expected => ({ status, error });
const unavailable = failure(2001);
const late = failure(2002);

/** 2,003 requests: few enough for the first tenth of the shortest soak, and a prime number, so that each measurement follows other kinds. */
export const listKinds: readonly [ListKind, ...ListKind[]] = [
  { share: 1016, store: 'short', expected: ok(5) },
  { share: 200, store: 'short', query: 'limit=2', expected: { ...ok(2), link: true } },
  { share: 100, store: 'short', query: `limit=3&cursor=${cursor}`, expected: ok(3) },
  { share: 40, store: 'short', query: 'limit=0', expected: ok(0) },
  { share: 10, store: 'short', query: `q=${'a'.repeat(8000)}`, expected: ok(5) },
  { share: 150, store: 'short', groups: 3, expected: ok(20) },
  { share: 8, store: 'short', groups: 100, expected: ok(505) },
  { share: 80, store: 'medium', acceptEncoding: 'br', expected: { ...ok(300), coding: 'br' } },
  { share: 60, store: 'medium', acceptEncoding: 'gzip', expected: { ...ok(300), coding: 'gzip' } },
  { share: 20, store: 'damaged', expected: ok(3) },
  { share: 2, store: 'long', expected: ok(4400) },
  { share: 2, store: 'long', acceptEncoding: 'br', expected: { ...ok(4400), coding: 'br' } },
  { share: 2, store: 'long', acceptEncoding: 'gzip', expected: { ...ok(4400), coding: 'gzip' } },
  { share: 1, store: 'huge', expected: failure(1003) },
  { share: 1, store: 'huge', acceptEncoding: 'br', expected: failure(1003) },
  { share: 1, every: 5, store: 'vast', acceptEncoding: 'br', expected: failure(1003) },
  { share: 60, store: 'short', query: 'limit=x', expected: failure(1001) },
  { share: 40, store: 'short', query: 'limit=1&limit=2', expected: failure(1001) },
  { share: 60, store: 'short', query: 'cursor=x', expected: failure(1002) },
  { share: 40, store: 'short', caller: 'none', expected: failure(1004, 401) },
  { share: 30, store: 'short', caller: 'expired', expected: failure(1004, 401) },
  { share: 20, store: 'short', caller: 'malformed', expected: failure(1004, 401) },
  { share: 2, store: 'throttledOnce', expected: ok(5) },
  { share: 1, every: 2, store: 'throttled', expected: unavailable },
  { share: 5, store: 'failsOnce', expected: ok(5) },
  { share: 2, store: 'fails', expected: unavailable },
  { share: 5, store: 'resetOnce', expected: ok(5) },
  { share: 2, store: 'reset', expected: unavailable },
  { share: 5, store: 'cutOnce', expected: ok(5) },
  { share: 2, store: 'cut', expected: unavailable },
  { share: 2, store: 'html', expected: unavailable },
  { share: 8, store: 'denied', expected: failure(2000) },
  { share: 1, every: 5, store: 'endless', expected: unavailable },
  { share: 1, every: 10, store: 'silent', expected: unavailable },
  { share: 20, store: 'silent', respondWithinMs: 20, expected: late },
  { share: 2, store: 'silent', groups: 100, respondWithinMs: 50, expected: late },
  { share: 2, store: 'stalls', respondWithinMs: 150, expected: late },
];

/** The gateway's event for a request of this kind; each index is another caller. */
export const listEvent = (kind: ListKind, index: number, nowMs: number): object => ({
  version: '2.0',
  rawQueryString: kind.query ?? '',
  headers: kind.acceptEncoding === undefined ? {} : { 'accept-encoding': kind.acceptEncoding },
  requestContext: {
    requestId: String(index),
    ...(kind.caller !== 'none' && { authorizer: { lambda: contextOf(kind, index, nowMs) } }),
  },
});

const contextOf = ({ store, groups = 0, caller }: ListKind, index: number, nowMs: number): object => ({
  // The long lists are made once.
  subject: ['long', 'huge', 'vast', 'stalls'].includes(store) ? store : `${store} ${String(index)}`,
  groups: Array.from({ length: groups }, (_, group) => `${store} of ${String(group)}`),
  expiresAt: caller === 'malformed' ? 'soon' : nowMs / 1000 + (caller === 'expired' ? -1 : 60),
  callerId: '0123456789abcdef',
});

const resultSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  isBase64Encoded: z.boolean().optional(),
});

const bodySchema = z.union([
  z.array(z.object({ name: z.string() })).transform((plants) => ({ plants: plants.length })),
  z.strictObject({ error: z.number(), message: z.string() }).transform(({ error }) => ({ error })),
]);

/** What a result of the function says, in the terms of the expectation. */
export const summaryOf = (result: unknown): unknown => {
  const { statusCode: status, headers, body, isBase64Encoded } = resultSchema.parse(result);
  const coding = headers['Content-Encoding'];
  const bytes = Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
  return {
    status,
    ...bodySchema.parse(JSON.parse(decoded(bytes, coding).toString())),
    ...(headers['Link'] !== undefined && { link: true }),
    ...(coding !== undefined && { coding }),
  };
};

const decoded = (bytes: Buffer, coding: string | undefined): Buffer =>
  coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;

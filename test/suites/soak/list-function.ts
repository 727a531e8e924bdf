import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { z } from 'zod';
import { respondBeforeTimeout } from '../../../functions/http/build-handler.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { itemOf } from '../../../table/item.ts';
import { nobody } from '../../../table/principal.ts';
import type { GoodReply, Link, LinkRequest } from '../../support/link.ts';
import { sortKeyOf } from '../../support/table/stored-plants.ts';
import { closed, responseFaults, type ResponseFault, silent, withFault } from '../faults/faults.ts';
import { type Kind, mixOf } from './mix.ts';
import type { FunctionProcess } from './process/function-process.ts';
import type { Target } from './soak.ts';

/** DynamoDB's limit for a page is 1 MB: 1,100 plants with tags of this size. */
const plantsPerPage = 1100;
const longTag = 'x'.repeat(900);

/** The lists in the store: how many plants, of which the first are damaged. */
interface List {
  readonly count: number;
  readonly tag?: string;
  readonly damaged?: number;
}

/** By the beginning of the name of a principal, which may be any user or group. */
const lists: Readonly<Record<string, List>> = {
  /** The Query of a warm-up. */
  [nobody]: { count: 0 },
  short: { count: 5 },
  medium: { count: 300, tag: 'tree' },
  damaged: { count: 5, damaged: 2 },
  /** 4, 7 and 25 MB. */
  long: { count: 4 * plantsPerPage, tag: longTag },
  huge: { count: 7 * plantsPerPage, tag: longTag },
  vast: { count: 25 * plantsPerPage, tag: longTag },
};

const plantName = (index: number, principal: string): string =>
  `${String(index).padStart(6, '0')} ${principal}`;

const querySchema = z.object({
  ExpressionAttributeValues: z.object({
    ':principal': z.object({ S: z.string() }),
    ':after': z.object({ S: z.string() }).optional(),
  }),
  Limit: z.number().default(Infinity),
});

/** Long pages are made once. */
const longPages = new Map<string, Buffer>();

/** Responds to a Query as DynamoDB does. */
export const respondAsStore = ({ body }: LinkRequest): Promise<GoodReply> => {
  const { ExpressionAttributeValues: values, Limit: limit } = querySchema.parse(JSON.parse(body.toString()));
  const principal = values[':principal'].S.replace(/^\w+#/, '');
  const { count, tag, damaged = 0 } = lists[principal.split(' ')[0] ?? ''] ?? { count: 0 };
  const after = values[':after']?.S;
  const first = after === undefined ? 0 : Number.parseInt(after, 10) + 1;
  const end = Math.min(count, first + Math.min(limit, plantsPerPage));
  const page = (): Buffer => {
    const items = Array.from({ length: end - first }, (_, offset) => {
      const name = plantName(first + offset, principal);
      const item = itemOf(`user#${principal}`, { id: '1', name, ...(tag !== undefined && { tag }) });
      return first + offset < damaged ? { ...item, name: { S: 'another' } } : item;
    });
    const { principal: key, sortKey } = { ...items.at(-1) };
    const rest = end < count ? { LastEvaluatedKey: { principal: key, sortKey } } : {};
    return Buffer.from(
      JSON.stringify({ Count: items.length, ScannedCount: items.length, Items: items, ...rest }),
    );
  };
  const key = [principal, first, end].join();
  const content = longPages.get(key) ?? page();
  if (count > plantsPerPage) longPages.set(key, content);
  return Promise.resolve({
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: content,
  });
};

/** A kind of request to the list function. */
interface ListKind extends Kind {
  readonly list: string;
  /** What happens to the store's responses. */
  readonly fault?: ResponseFault;
  readonly groups?: number;
  readonly query?: string;
  readonly acceptEncoding?: string;
  /** Replaces the caller in the authorizer's context. */
  readonly caller?: 'none' | 'expired' | 'malformed';
  /** Milliseconds until the function must respond. */
  readonly respondWithinMs?: number;
  /** Status, then how many plants the list has or which `error` the Error body, and what else the response has. */
  readonly expected: readonly [status: number, content: number, ...more: readonly string[]];
}

const cursor = encodeCursor(sortKeyOf(plantName(1, 'short ~'), '1'));
/** Does not give the third page. */
const stalls: ResponseFault = {
  name: 'stalls',
  change: (good) => (good.body.includes(plantName(2 * plantsPerPage, '')) ? silent.change(good) : good),
};

const rareKinds: readonly ListKind[] = [
  { share: 200, list: 'short', query: 'limit=2', expected: [200, 2, 'link'] },
  { share: 100, list: 'short', query: `limit=3&cursor=${cursor}`, expected: [200, 3] },
  { share: 40, list: 'short', query: 'limit=0', expected: [200, 0] },
  { share: 10, list: 'short', query: `q=${'a'.repeat(8000)}`, expected: [200, 5] },
  { share: 150, list: 'short', groups: 3, expected: [200, 20] },
  { share: 8, list: 'short', groups: 100, expected: [200, 505] },
  { share: 80, list: 'medium', acceptEncoding: 'br', expected: [200, 300, 'br'] },
  { share: 60, list: 'medium', acceptEncoding: 'gzip', expected: [200, 300, 'gzip'] },
  { share: 20, list: 'damaged', expected: [200, 3] },
  { share: 2, list: 'long', expected: [200, 4400] },
  { share: 2, list: 'long', acceptEncoding: 'br', expected: [200, 4400, 'br'] },
  { share: 2, list: 'long', acceptEncoding: 'gzip', expected: [200, 4400, 'gzip'] },
  { share: 1, list: 'huge', expected: [400, 1003] },
  { share: 1, list: 'huge', acceptEncoding: 'br', expected: [400, 1003] },
  { share: 1, every: 5, list: 'vast', acceptEncoding: 'br', expected: [400, 1003] },
  { share: 60, list: 'short', query: 'limit=x', expected: [400, 1001] },
  { share: 40, list: 'short', query: 'limit=1&limit=2', expected: [400, 1001] },
  { share: 60, list: 'short', query: 'cursor=x', expected: [400, 1002] },
  { share: 40, list: 'short', caller: 'none', expected: [401, 1004] },
  { share: 30, list: 'short', caller: 'expired', expected: [401, 1004] },
  { share: 20, list: 'short', caller: 'malformed', expected: [401, 1004] },
  ...responseFaults.flatMap((fault): readonly ListKind[] => {
    if (fault.store === undefined) return [];
    const expected: ListKind['expected'] = fault.store === 200 ? [200, 5] : [400, fault.store];
    return [{ share: 1, list: 'short', fault, expected }];
  }),
  { share: 2, list: 'short', fault: closed, expected: [400, 2001] },
  { share: 5, list: 'short', fault: { ...closed, times: 1 }, expected: [200, 5] },
  { share: 1, every: 10, list: 'short', fault: silent, expected: [400, 2001] },
  { share: 20, list: 'short', fault: silent, respondWithinMs: 20, expected: [400, 2002] },
  { share: 2, list: 'short', fault: silent, groups: 100, respondWithinMs: 50, expected: [400, 2002] },
  { share: 2, list: 'long', fault: stalls, respondWithinMs: 150, expected: [400, 2002] },
];

/** Few enough for the first tenth of the shortest soak, and a prime number, so that each measurement follows other kinds. */
const requestsInRound = 2003;
const others = rareKinds.reduce((sum, { share }) => sum + share, 0);
const usual: ListKind = { share: requestsInRound - others, list: 'short', expected: [200, 5] };

/** The gateway's event for a request of this kind; each index is another caller. */
const eventOf = (kind: ListKind, index: number, nowMs: number): object => ({
  version: '2.0',
  rawQueryString: kind.query ?? '',
  headers: kind.acceptEncoding === undefined ? {} : { 'accept-encoding': kind.acceptEncoding },
  requestContext: {
    requestId: String(index),
    ...(kind.caller !== 'none' && { authorizer: { lambda: contextOf(kind, index, nowMs) } }),
  },
});

const contextOf = ({ list, groups = 0, caller }: ListKind, index: number, nowMs: number): object => ({
  subject: (lists[list]?.count ?? 0) > plantsPerPage ? list : `${list} ${String(index)}`,
  groups: Array.from({ length: groups }, (_, group) => `${list} of ${String(group)}`),
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
  z.array(z.object({ name: z.string() })).transform((plants) => plants.length),
  z.strictObject({ error: z.number(), message: z.string() }).transform(({ error }) => error),
]);

/** What a result of the function says, in the terms of the expectation. */
const summaryOf = (result: unknown): ListKind['expected'] => {
  const { statusCode, headers, body, isBase64Encoded } = resultSchema.parse(result);
  const coding = headers['Content-Encoding'];
  const bytes = Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
  const text = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
  return [
    statusCode,
    bodySchema.parse(JSON.parse(text.toString())),
    ...(coding === undefined ? [] : [coding]),
    ...(headers['Link'] === undefined ? [] : ['link']),
  ];
};

/** The clock goes on by this much with each request, so that 200,000 take two days. */
const stepMs = 1000;
/** Long before the deadline, so that only the store's own bounds end a request. */
const plentyMs = 8500;

/** The list function under a mix of all kinds of requests. */
export const listFunction = ({ invoke, measure }: FunctionProcess, store: Link): Target => {
  const kindOf = mixOf([usual, ...rareKinds]);
  return {
    send: async (index) => {
      const kind = kindOf(index);
      store.respond(kind.fault === undefined ? respondAsStore : withFault(respondAsStore, kind.fault));
      const aheadMs = index * stepMs;
      const outcome = await invoke({
        event: eventOf(kind, index, Date.now() + aheadMs),
        remainingMs: respondBeforeTimeout + (kind.respondWithinMs ?? plentyMs),
        aheadMs,
      });
      const response = outcome.type === 'result' ? summaryOf(outcome.payload) : outcome;
      expect({ kind, response }).toEqual({ kind, response: kind.expected });
    },
    measure,
  };
};

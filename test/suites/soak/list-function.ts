import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { z } from 'zod';
import { respondBeforeTimeout } from '../../../functions/http/build-handler.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import type { BundledFunction } from '../../../local/stack/bundle.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { sortKeyOf } from '../../support/table/stored-plants.ts';
import { closed, responseFaults, type ResponseFault, silent, withFault } from '../faults/faults.ts';
import { startUnderLoad } from './function-under-load.ts';
import type { Target } from './soak.ts';
import { plantName, plantsPerMegabyte, respondAsStore } from './store.ts';

interface Request {
  readonly query?: string;
  readonly acceptEncoding?: 'br' | 'gzip';
  /** How many plants the user and each group have; 5 unless set. */
  readonly plants?: number | '5 damaged';
  readonly groups?: number;
  readonly fault?: ResponseFault;
  readonly deadlineMs?: number;
  readonly expected: readonly [status: number, plantsOrError: number];
}

const quick: readonly Request[] = [
  { query: 'limit=2', expected: [200, 2] },
  { query: `limit=3&cursor=${encodeCursor(sortKeyOf(plantName(1, '~')))}`, expected: [200, 3] },
  { groups: 3, expected: [200, 20] },
  { plants: 300, acceptEncoding: 'br', expected: [200, 300] },
  { plants: 300, acceptEncoding: 'gzip', expected: [200, 300] },
  { plants: '5 damaged', expected: [200, 3] },
  { query: 'limit=x', expected: [400, 1001] },
];

/** The number of plants in 4 MB. */
const long = 4 * plantsPerMegabyte;

/** With faults of the store, or with long responses. */
const slow: readonly Request[] = [
  ...responseFaults.flatMap(({ store, ...fault }): readonly Request[] =>
    store === undefined ? [] : [{ fault, expected: store === 200 ? [200, 5] : [400, store] }],
  ),
  { fault: closed, expected: [400, 2001] },
  { fault: { ...closed, times: 1 }, expected: [200, 5] },
  { fault: { ...silent, times: 1 }, expected: [200, 5] },
  { fault: silent, deadlineMs: 20, expected: [400, 2002] },
  { fault: silent, groups: 100, deadlineMs: 50, expected: [400, 2002] },
  { groups: 100, expected: [200, 505] },
  { plants: long, expected: [200, long] },
  { plants: long, acceptEncoding: 'br', expected: [200, long] },
  { plants: 7 * plantsPerMegabyte, expected: [400, 1003] },
];

/** Every hundredth request is a slow one, every fourth a quick one; a fractional index gives the default. */
const requestAt = (index: number): Request => {
  const [requests, every] = index % 100 === 0 ? [slow, 100] : [quick, 4];
  return requests[(index / every) % requests.length] ?? { expected: [200, 5] };
};

const result = z.object({
  statusCode: z.number(),
  headers: z.object({ 'Content-Encoding': z.enum(['br', 'gzip']).optional() }),
  body: z.string(),
});
/** The number of plants in a body, or its `error`. */
const content = z.union([
  z.array(z.unknown()).transform(({ length }) => length),
  z.object({ error: z.number() }).transform(({ error }) => error),
]);
const decompress = { br: brotliDecompressSync, gzip: gunzipSync } as const;

/** The list function with requests of all kinds and a store that fails. */
export const listFunction = async (functions: readonly BundledFunction[]): Promise<Target> => {
  const { invoke, server, ...started } = await startUnderLoad(functions, 'AWS_ENDPOINT_URL_DYNAMODB');
  const send = async (index: number): Promise<void> => {
    const request = requestAt(index);
    const { plants = 5, groups = 0, fault, deadlineMs = 8000, acceptEncoding, expected } = request;
    server.respond(fault ? withFault(respondAsStore, fault) : respondAsStore);
    const event = listEvent({
      ...request,
      // Each request has another caller.
      subject: `${String(plants)} of ${String(index)}`,
      groups: Array.from({ length: groups }, (_, group) => `${String(plants)} of group ${String(group)}`),
    });
    const remainingMs = respondBeforeTimeout + deadlineMs;
    const returned = await invoke({ event, nowMs: requestTime, remainingMs });
    const { statusCode, headers, body } = result.parse(returned);
    const coding = headers['Content-Encoding'];
    const text = coding ? decompress[coding](Buffer.from(body, 'base64')).toString() : body;
    const received = [statusCode, content.parse(JSON.parse(text))];
    expect({ request, received, coding }).toEqual({ request, received: expected, coding: acceptEncoding });
  };
  return { send, ...started };
};

import { expect } from 'vitest';
import { z } from 'zod';
import type { PlantStore } from '../../functions/plant-store/plant-store.ts';
import { lambdaContext } from './lambda-context.ts';
import { listEvent, listHandler, requestTime } from './list-event.ts';
import { recordingLog } from './recording-log.ts';

const plantsSchema = z.array(z.strictObject({ name: z.string(), tag: z.string() }));

export interface Caller {
  readonly subject: string;
  readonly groups: readonly string[];
}

/** One response of the list function. */
export interface Page {
  readonly body: string;
  readonly plants: z.infer<typeof plantsSchema>;
  /** The query string of the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** Invokes the list function in this process. */
const readPage = async (store: PlantStore, caller: Caller, query: string): Promise<Page> => {
  const handler = listHandler({ store, log: recordingLog(), now: () => requestTime });
  const { statusCode, headers, body = '' } = await handler(listEvent({ ...caller, query }), lambdaContext);
  expect(statusCode).toBe(200);
  const link = z.string().optional().parse(headers?.['Link']);
  const next = link === undefined ? undefined : /^<\?([\w=&-]+)>; rel="next"$/.exec(link)?.[1];
  // A malformed link must not look like the last page.
  expect(next === undefined).toBe(link === undefined);
  return { body, plants: plantsSchema.parse(JSON.parse(body)), next };
};

/** Follows the links from the first page to the last. */
export const readPages = async (
  store: PlantStore,
  caller: Caller,
  query: string,
): Promise<readonly Page[]> => {
  const pages: Page[] = [];
  for (let next: string | undefined = query; next !== undefined; next = pages.at(-1)?.next) {
    pages.push(await readPage(store, caller, next));
  }
  return pages;
};

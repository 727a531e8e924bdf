import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const laneResult = z.object({
  lane: z.string(),
  /** Name and version of each engine. */
  engines: z.array(z.string()),
  passed: z.number(),
  failed: z.number(),
  /** Why the lane did not run or did not get to its end. */
  problem: z.string().optional(),
  skipped: z.boolean().default(false),
  seconds: z.number(),
});

/** What came of one lane. */
export type LaneResult = Readonly<z.infer<typeof laneResult>>;

const folder = fileURLToPath(new URL('../../test-results/external/', import.meta.url));

export const writeResult = (result: LaneResult): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${result.lane}.json`, `${JSON.stringify(result, null, 2)}\n`);
};

/** The last result of every lane that ran in this checkout. */
export const readResults = (): readonly LaneResult[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => laneResult.parse(JSON.parse(readFileSync(`${folder}${file}`, 'utf8'))));

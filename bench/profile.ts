import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { median } from 'd3-array';
import { z } from 'zod';
import type { Start } from './measure.ts';
import { assembly, type Variant } from './variants.ts';

/** The file to which an execution environment writes the parts of its cold start. */
export const partsFile = join(assembly, 'parts.ndjson');
const partSchema = z.object({ part: z.string(), ms: z.number() });

/**
 * Measures the parts of cold starts.
 * @param event the event of the first request, as JSON text
 * @returns a line for each part: its median milliseconds, in the order in which parts end, from 0.1 ms on
 */
export const profile = async (
  variant: Variant,
  rounds: number,
  start: Start,
  event: string,
): Promise<readonly string[]> => {
  const samples = new Map<string, number[]>();
  const add = (part: string, ms: number): void => {
    samples.set(part, [...(samples.get(part) ?? []), ms]);
  };
  for (let round = 0; round < rounds; round += 1) {
    rmSync(partsFile, { force: true });
    await using environment = await start(variant);
    const { ms } = await environment.invoke(event);
    for (const line of readFileSync(partsFile, 'utf8').trimEnd().split('\n')) {
      const { part, ms: partMs } = partSchema.parse(JSON.parse(line));
      add(part, partMs);
    }
    add('initialization, in total', environment.initMs);
    add('first request', ms);
  }
  return [...samples]
    .map(([part, figures]): readonly [string, number] => [part, median(figures) ?? NaN])
    .filter(([, figure]) => figure >= 0.1)
    .map(([part, figure]) => `${figure.toFixed(1).padStart(6)}  ${part}`);
};

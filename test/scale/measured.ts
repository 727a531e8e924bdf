import { z } from 'zod';
import { stages } from '../../infra/stages.ts';
import { readDocument } from '../support/markdown.ts';
import { number } from './document.ts';

/** What docs/scale.md takes from a stage. */
interface Deployed {
  readonly listPlants: { readonly memoryMb: number };
  readonly authorizer: { readonly memoryMb: number };
  readonly authorizerCacheSeconds: number;
  readonly throttle: { readonly rateLimit: number; readonly burstLimit: number };
}

const figures = z.object({ coldMs: z.number(), warmMs: z.number(), billedMs: z.number() });
const bySize = z.record(z.string(), z.record(z.string(), figures));
const listBySize = z.record(z.string(), z.record(z.string(), figures.extend({ largeMs: z.number() })));

/** The part of bench/results.json at Lambda's share of a processor: empty or missing if the benchmark did not measure it. */
export const measuredSchema = z.object({
  share: z.object({ list: listBySize, authorizer: bySize }).default({ list: {}, authorizer: {} }),
});

/** The committed figures. */
export const readMeasured = (): z.infer<typeof measuredSchema> =>
  measuredSchema.parse(JSON.parse(readDocument('bench/results.json')));

/**
 * What section 1 of docs/scale.md says of the stage `prod` and, if it was measured, of its functions' times.
 * @throws {Error} if a size was not measured that is deployed
 */
export const inputSentences = (
  { share }: z.infer<typeof measuredSchema>,
  stage: Deployed | undefined = stages.find(({ name }) => name === 'prod'),
): readonly string[] => {
  if (stage === undefined) throw new Error('infra/stages.ts has no stage prod.');
  const { listPlants, authorizer, authorizerCacheSeconds, throttle } = stage;
  return [
    `| list function | arm64, ${number(listPlants.memoryMb)} MB`,
    `| authorizer | arm64, ${number(authorizer.memoryMb)} MB`,
    `result cached for ${number(authorizerCacheSeconds)} s per header value`,
    `| ${number(throttle.rateLimit)} requests per second, burst ${number(throttle.burstLimit)}`,
    ...(Object.keys(share.list).length === 0 ? [] : times(share, listPlants.memoryMb, authorizer.memoryMb)),
  ];
};

const times = (
  { list, authorizer }: z.infer<typeof measuredSchema>['share'],
  listMb: number,
  authorizerMb: number,
): readonly string[] => {
  const ours = list['plant-store']?.[String(listMb)];
  const its = authorizer['plant-store']?.[String(authorizerMb)];
  if (ours === undefined || its === undefined)
    throw new Error(
      `bench/results.json has no figures of plant-store with ${String(listMb)} and ${String(authorizerMb)} MB.`,
    );
  const warm = (each: z.infer<typeof figures>): string =>
    `${number(each.warmMs, 1)} ms, billed ${number(each.billedMs, 1)} ms`;
  return [
    `| A1 | warm list of 20 | ${warm(ours)}`,
    `| warm list of 4,000, compressed | ${number(ours.largeMs, 0)} ms`,
    `| A3 | warm authorizer | ${warm(its)}`,
    `| list function ${number(ours.coldMs, 0)} ms, authorizer ${number(its.coldMs, 0)} ms`,
  ];
};

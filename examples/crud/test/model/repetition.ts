import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from './engine.ts';
import {
  addsOncePerKey,
  answersEveryRequest,
  losesNoChange,
  refusesOtherContents,
  staysDeleted,
} from './laws.ts';
import { runModel } from './run-model.ts';
import { scenarios } from './scenario.ts';

const usual = { add: 4, change: 3, delete: 3, find: 1, repeat: 2, import: 1, wait: 1 };

const laws = [
  {
    title: 'a request with a key adds at most one plant in a day, and all its 201 responses are equal',
    law: addsOncePerKey,
    weights: { ...usual, add: 6, change: 1 },
  },
  {
    title: 'a deleted plant stays deleted, whatever repetitions arrive later, and no other plant disappears',
    law: staysDeleted,
    weights: { ...usual, delete: 5 },
  },
  {
    title: 'an acknowledged change was made once, to the version in If-Match, and no version occurs again',
    law: losesNoChange,
    weights: { ...usual, change: 6, add: 2 },
  },
  {
    title: 'another body or group with a used key never adds a plant',
    law: refusesOtherContents,
    weights: { ...usual, add: 8, change: 1 },
  },
  {
    title: 'each response is a documented one, and each repetition after the faults gets a definite response',
    law: answersEveryRequest,
    weights: { ...usual, wait: 2 },
  },
];

/**
 * Tests that repetitions, conflicts and lost responses break no law.
 * @param start starts a table
 * @param runs of each law; the variable MODEL_RUNS multiplies them
 */
export const describeRepetition = (name: string, start: () => Promise<Engine>, runs: number): void => {
  describe(`repetition, conflict and loss in ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await start();
    });
    afterAll(() => engine.close());

    for (const { title, law, weights } of laws)
      it(
        title,
        async () => {
          const numRuns = runs * Number(process.env['MODEL_RUNS'] ?? 1);
          await fc.assert(
            fc.asyncProperty(fc.scheduler(), scenarios(weights), async (scheduler, scenario) => {
              expect(law(await runModel(engine, scenario, scheduler, randomUUID()))).toEqual([]);
            }),
            { numRuns },
          );
        },
        3_600_000,
      );
  });
};

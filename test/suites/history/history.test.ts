// The suite `history` proves: in random histories of grants, tokens, key rotations, outages and cursors,
// every response is that of a short model. It cannot find a mistake that the model shares.
import fc, { type IAsyncProperty } from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { histories } from './arbitrary-steps.ts';
import { type Deployment, deployToEmulator, startNpm } from './deployments.ts';
import { runHistory } from './history.ts';
import type { Step } from './steps.ts';

const { DYNAMODB_LOCAL_ENDPOINT, MINISTACK_ENDPOINT } = z
  .object({ DYNAMODB_LOCAL_ENDPOINT: z.url(), MINISTACK_ENDPOINT: z.url() })
  .parse(process.env);

/** docs/suites.md describes these; a failing test prints seed and path. */
const { HISTORIES, HISTORY_SEED, HISTORY_PATH } = z
  .object({
    HISTORIES: z.coerce.number().int().positive().default(160),
    HISTORY_SEED: z.coerce.number().int().default(Date.now),
    HISTORY_PATH: z.string().default(''),
  })
  .parse(process.env);

/** The status and the error of every response of the targets. */
const seen = new Set<string>();

const respondsLikeTheModel = (
  deployment: Deployment,
  responses = new Set<string>(),
): IAsyncProperty<[readonly Step[]]> =>
  fc.asyncProperty(histories, (steps) => runHistory(deployment, steps, responses));

/** `share`: of all histories; the emulator takes ten times as long for one. */
const targets = [
  { name: 'npm start', share: 0.6, start: () => startNpm() },
  {
    name: 'npm start on DynamoDB Local',
    share: 0.36,
    start: () => startNpm({ AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_LOCAL_ENDPOINT }),
  },
  { name: 'deployed to MiniStack', share: 0.04, start: () => deployToEmulator(MINISTACK_ENDPOINT) },
];

describe.each(targets)('$name', ({ share, start }) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await start();
    return () => deployment.stop();
  });

  const numRuns = Math.ceil(HISTORIES * share);
  // Shrinking ends at this limit too, so that its result is printed.
  const limit = 300_000 + numRuns * 15_000;
  it('responds like the model in random histories', { timeout: 2 * limit }, async ({ task }) => {
    task.meta.cases = numRuns;
    await fc.assert(respondsLikeTheModel(deployment, seen), {
      ...{ numRuns, seed: HISTORY_SEED, path: HISTORY_PATH },
      ...{ interruptAfterTimeLimit: limit, markInterruptAsFailure: true },
    });
  });
});

// Skipped when a single history is replayed.
describe.skipIf(HISTORY_PATH !== '')('the suite', () => {
  it('detects a service that orders names by UTF-16 units', { timeout: 300_000 }, async () => {
    const broken = await startNpm({}, ({ edit }) => {
      edit('table/utf8.ts', 'if (!surrogate.test(a) && !surrogate.test(b)) return a', 'return a');
    });
    try {
      const { counterexample } = await fc.check(respondsLikeTheModel(broken), { seed: 1 });
      // Two plants and a request are enough to show it.
      expect(counterexample?.[0].length).toBeLessThanOrEqual(5);
    } finally {
      await broken.stop();
    }
  });

  it('compares every status and error of the model', () => {
    expect([...seen].sort()).toEqual(['200', '400 1001', '400 1002', '400 2001', '401 1004', '403', '500']);
  });
});

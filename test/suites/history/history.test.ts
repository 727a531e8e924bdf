// The suite `history` proves: in random histories of grants, tokens, key rotations, outages and cursors,
// every response is that of a short model. It cannot find what the model has wrong too.
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkHistories, type Figures } from './check-histories.ts';
import { type Deployment, deployToEmulator, startNpm } from './deployments.ts';

const { DYNAMODB_LOCAL_ENDPOINT, MINISTACK_ENDPOINT } = z
  .object({ DYNAMODB_LOCAL_ENDPOINT: z.url(), MINISTACK_ENDPOINT: z.url() })
  .parse(process.env);

const usualSteps = 5000;
/** docs/suites.md describes these. */
const { HISTORY_STEPS, HISTORY_SEED } = z
  .object({
    HISTORY_STEPS: z.coerce.number().int().positive().default(usualSteps),
    HISTORY_SEED: z.coerce.number().int().optional(),
  })
  .parse(process.env);
const randomSeed = (): number => Math.floor(Math.random() * 2 ** 30);

/** `share`: of all steps; the emulator takes ten times as long for one. */
const targets = [
  { name: 'npm start', share: 0.6, start: () => startNpm() },
  {
    name: 'npm start on DynamoDB Local',
    share: 0.36,
    start: () => startNpm({ AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_LOCAL_ENDPOINT }),
  },
  { name: 'deployed to MiniStack', share: 0.04, start: () => deployToEmulator(MINISTACK_ENDPOINT) },
];

/** Every kind of response (status and error) and of step. */
const allKinds = [
  ...['200', '400 1001', '400 1002', '400 2001', '401 1004', '403', '500'],
  ...['grant', 'revoke', 'damage', 'list', 'two lists at once', 'rotate', 'time passes'],
  ...['the issuer works', 'the issuer does not respond', 'the issuer has no keys'],
  ...['the store works', 'the store is down'],
];

const ran = new Map<string, Figures>();

describe.each(targets)('random histories of the service, $name:', ({ name, share, start }) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await start();
    return () => deployment.stop();
  });

  const steps = Math.ceil(HISTORY_STEPS * share);
  it('every response is that of the model', { timeout: 300_000 + steps * 500 }, async ({ task }) => {
    const seed = HISTORY_SEED ?? randomSeed();
    const figures = await checkHistories(deployment, steps, seed);
    task.meta.cases = figures.histories;
    ran.set(name, figures);
  });
});

// With fewer steps, a history is replayed.
if (HISTORY_STEPS >= usualSteps) {
  describe('the model', () => {
    it('notices a service that orders names by UTF-16 units', { timeout: 300_000 }, async () => {
      const broken = await startNpm({}, ({ edit }) => {
        edit('table/utf8.ts', 'if (!surrogate.test(a) && !surrogate.test(b)) return a', 'return a');
      });
      try {
        const histories = checkHistories(broken, 1000, 1);
        // Two plants and a request are enough to show it.
        await expect(histories).rejects.toThrow(/differ at the end of this history.*(?:\n\d\. .*){3,5}\n\D/);
      } finally {
        await broken.stop();
      }
    });

    it('was compared after every kind of step and response', () => {
      const kinds = new Set(
        [...ran.values()].flatMap(({ steps, responses }) => [...steps.keys(), ...responses.keys()]),
      );
      expect([...kinds].sort()).toEqual(allKinds.toSorted());
    });
  });
}

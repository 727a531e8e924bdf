// Proves: suites that use the operations or the table pass in a copy to which examples/crud was applied. The
// copy starts third-party systems of its own, from the shared downloads and on random ports. It cannot show
// the suites `processes`, `recipes`, `examples` and `plants`, which take too long here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Command, runCommand } from '../../support/service/command.ts';
import type { ProjectCopy } from '../../support/service/project-copy.ts';
import { crudCopy, hasNoOverlay } from './crud-copy.ts';

/** What vitest's reporter `json` writes. */
const results = z.object({
  success: z.boolean(),
  numTotalTests: z.number(),
  numPassedTests: z.number(),
});

const names = ['deployed', 'faults', 'dynamodb', 'requests', 'commands'];
let copy: ProjectCopy;

describe.skipIf(hasNoOverlay)('in a copy to which examples/crud was applied', () => {
  let ended: Awaited<Command['ended']>;
  beforeAll(async () => {
    copy = await crudCopy();
    const command = ['node', 'test/suites/run.ts', ...names];
    // More at once than processors, because `faults` and `deployed` mostly wait.
    ended = await runCommand('bin/run', copy.folder, command, { SUITES_AT_ONCE: '3' }).ended;
  }, 900_000);
  afterAll(() => {
    copy.remove();
  });

  it.each(names)('each test of the suite %s runs and passes', (suite) => {
    const file = join(copy.folder, `test-results/suites/${suite}.json`);
    const { success, numTotalTests, numPassedTests } = results.parse(JSON.parse(readFileSync(file, 'utf8')));
    // A suite whose system cannot run on this machine skips its tests, and succeeds.
    expect([success, numPassedTests], ended.output).toEqual([true, numTotalTests]);
    expect(numTotalTests).toBeGreaterThan(0);
  });

  it('no suite fails outside its tests', () => {
    expect(ended.code, ended.output).toBe(0);
  });
});

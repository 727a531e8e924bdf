import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const suiteResult = z.object({
  suite: z.string(),
  /** Name and version of each external system. */
  systems: z.array(z.string()),
  passed: z.number(),
  failed: z.number(),
  /** Why the suite did not run, or did not run to its end. */
  problem: z.string().optional(),
  /** A system cannot run on this machine. */
  skipped: z.boolean(),
  /** What a reader of the result should know. */
  notes: z.array(z.string()),
  seconds: z.number(),
});

export type SuiteResult = Readonly<z.infer<typeof suiteResult>>;

const folder = fileURLToPath(new URL('../../../test-results/external/', import.meta.url));

export const writeResult = (result: SuiteResult): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${result.suite}.json`, `${JSON.stringify(result, null, 2)}\n`);
};

/** The last result of every suite that ran in this checkout. */
export const readResults = (): readonly SuiteResult[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith('.json'))
    .map((file) => suiteResult.parse(JSON.parse(readFileSync(`${folder}${file}`, 'utf8'))));

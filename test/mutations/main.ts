// `npm run mutations`: changes the functions in one place at a time, and fails for a change that no test notices, unless
// docs/mutations.md gives a reason for it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const position = z.object({ line: z.number(), column: z.number() });
const mutant = z.object({
  status: z.string(),
  replacement: z.string(),
  location: z.object({ start: position, end: position }),
});
/** The mutation testing report schema, as far as it is read here. */
const report = z.object({
  files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(mutant) })),
});

type Mutant = Readonly<z.infer<typeof mutant>>;

const undetected = ['Survived', 'NoCoverage'];

/** The first line of the code that a mutant changes, with the change in place. */
const describeMutant = (file: string, source: string, { replacement, location }: Mutant): string => {
  const { start, end } = location;
  const line = source.split('\n')[start.line - 1] ?? '';
  const isOneLine = end.line === start.line;
  const original = isOneLine
    ? line.slice(start.column - 1, end.column - 1)
    : `${line.slice(start.column - 1)} …`;
  const change = `«${original} → ${replacement.replaceAll(/\s+/g, ' ')}»`;
  const code = `${line.slice(0, start.column - 1)}${change}${isOneLine ? line.slice(end.column - 1) : ''}`;
  return `${file}: ${code.trim()}`;
};

/** The texts of the first list that are not in the second, each as often as it is missing. */
const missing = (texts: readonly string[], others: readonly string[]): readonly string[] => {
  const rest = [...others];
  return texts.filter((text) => {
    const index = rest.indexOf(text);
    if (index !== -1) rest.splice(index, 1);
    return index === -1;
  });
};

const stryker = 'test/mutations/node_modules/.bin/stryker';
const options = ['run', 'test/mutations/stryker.config.json', ...process.argv.slice(2)];
if (spawnSync(stryker, options, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;

const { files } = report.parse(JSON.parse(readFileSync('test-results/mutations.json', 'utf8')));
const survivors = Object.entries(files).flatMap(([file, { source, mutants }]) =>
  mutants
    .filter(({ status }) => undetected.includes(status))
    .map((each) => describeMutant(file, source, each)),
);
const accepted = readFileSync('docs/mutations.md', 'utf8')
  .split('\n')
  .filter((line) => Object.keys(files).some((file) => line.startsWith(`${file}: `)));

const problems = [
  ...missing(survivors, accepted).map((each) => `No test notices ${each}`),
  ...missing(accepted, survivors).map(
    (each) => `A test notices, so docs/mutations.md should not list ${each}`,
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

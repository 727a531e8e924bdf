// bin/run node examples/crud/apply.ts: makes this checkout a service that finds, adds, changes and deletes
// plants. It copies the files of this folder over those of the project and merges openapi.yaml.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeNoArguments } from '../../terminal/no-arguments.ts';
import { exitWith, UserError } from '../../terminal/user-error.ts';
import { mergedDescription } from './merged-description.ts';

const overlay = fileURLToPath(new URL('.', import.meta.url));
const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The files of this folder that are not copied. */
const notCopied = new Set(['apply.ts', 'merged-description.ts', 'openapi.yaml', 'tsconfig.json']);

/** The files to copy, relative to the checkout. */
const filesToCopy = (): readonly string[] =>
  readdirSync(overlay, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(overlay, join(entry.parentPath, entry.name)))
    .filter((file) => !notCopied.has(file))
    .toSorted();

/** The output of a Git command in the checkout; undefined where it is no Git repository, or without Git. */
const git = (...parameters: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', parameters, { cwd: checkout, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

takeNoArguments(
  'bin/run node examples/crud/apply.ts',
  'Adds operations that find, add, change and delete a plant to this checkout.',
);
try {
  const files = filesToCopy();
  const added = files.filter((file) => !existsSync(join(checkout, file)));
  if (added.length === 0) throw new UserError('This checkout has all files of examples/crud already.');
  const changes = git('status', '--porcelain') ?? '';
  if (changes !== '')
    throw new UserError(
      'Commit or stash your changes first, so that git diff shows what this command changes.',
    );

  for (const file of files) cpSync(join(overlay, file), join(checkout, file));
  const description = join(checkout, 'openapi.yaml');
  const addition = readFileSync(join(overlay, 'openapi.yaml'), 'utf8');
  writeFileSync(description, await mergedDescription(readFileSync(description, 'utf8'), addition));
  // The templates get the attribute by which DynamoDB deletes expired records.
  const update = ['vitest', 'run', 'test/infra/stack.test.ts', '--update'];
  execFileSync(join(checkout, 'bin/run'), update, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });

  const list = (title: string, names: readonly string[]): string =>
    [`${title}:`, ...names.map((name) => `  ${name}`)].join('\n');
  console.log(
    [
      list('Added', added),
      list(
        'Replaced',
        files.filter((file) => !added.includes(file)),
      ),
      list('Changed', ['openapi.yaml (merged with examples/crud/openapi.yaml)', 'test/infra/snapshots']),
      'Next: npm test, then npm start. docs/crud.md says what each operation costs.',
      'Once it is yours: git rm -r examples/crud',
    ].join('\n'),
  );
} catch (error) {
  exitWith(error);
}

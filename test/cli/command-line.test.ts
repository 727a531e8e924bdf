import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../cli/command-line.ts';

const run = promisify(execFile);

/** What bash reads in each line: its words, without the program's name. */
const wordsOf = async (lines: readonly string[]): Promise<readonly (readonly string[])[]> => {
  const script = lines.map((line) =>
    [line.replace('npm run plants --', String.raw`printf '%s\0'`), String.raw`printf '\0'`].join('; '),
  );
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const file = join(folder, 'script');
  writeFileSync(file, script.join('\n'));
  const { stdout } = await run('bash', [file], { maxBuffer: 2 ** 26 });
  rmSync(folder, { recursive: true });
  return stdout
    .split('\u0000\u0000')
    .slice(0, -1)
    .map((words) => words.split('\u0000'));
};

// Words are never empty here: the separator of the lines is an empty word.
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({
      unit: fc.constantFrom(
        ...Array.from('\'"\\$`!*?~#&;|<>(){}[]^= \t\n\r\u0007\u001b\u0085\u202e\u{1f339}axn0-'),
      ),
      minLength: 1,
    }),
  )
  .filter((text) => text.isWellFormed() && !text.includes('\u0000'));

describe('a printed command', () => {
  it('gives bash exactly the words that are meant, in one printable line', async () => {
    const cases = fc.sample(fc.tuple(anyText, anyText), 3000);
    const lines = cases.map(([id, name]) => commandLine(['remove', id], { name }, { stage: 'dev' }));
    expect(await wordsOf(lines)).toEqual(
      cases.map(([id, name]) =>
        id.startsWith('-')
          ? ['remove', '--name', name, '--stage', 'dev', '--', id]
          : ['remove', id, '--name', name, '--stage', 'dev'],
      ),
    );
    expect(lines.filter((line) => /\p{C}/u.test(line))).toEqual([]);
  });
});

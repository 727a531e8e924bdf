// The suite `compatibility` proves: `openapi.yaml` breaks nothing that the last release’s description promised. It
// cannot see a change of behaviour that the description does not have.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Document, parseDocument } from 'yaml';
import { z } from 'zod';
import { releasedDescription } from './released-description.ts';
import { runTool } from '../tool.ts';

const oasdiff = z.string().parse(process.env['OASDIFF_COMMAND']);
const project = fileURLToPath(new URL('../../..', import.meta.url));
const current = readFileSync(join(project, 'openapi.yaml'), 'utf8');

/** Changes that matter more, or less, to this service's callers than oasdiff assumes. */
const severities = {
  // Callers show the tag and follow the link, though neither is always present.
  'response-optional-property-removed': 'err',
  'optional-response-header-removed': 'err',
  // Callers handle each failure as described, and would meet one that is not.
  'response-non-success-status-removed': 'err',
  'response-property-enum-value-removed': 'err',
  // Callers decide by the value's range, so that new errors can be added.
  'response-property-enum-value-added': 'info',
};

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The changes that oasdiff reports as breaking, or possibly breaking; empty if there are none. */
const breakingChanges = async (before: string, after: string): Promise<string> => {
  const folder = newFolder();
  writeFileSync(join(folder, 'before.yaml'), before);
  writeFileSync(join(folder, 'after.yaml'), after);
  const levels = Object.entries(severities).map(([rule, severity]) => `${rule} ${severity}\n`);
  writeFileSync(join(folder, 'levels.txt'), levels.join(''));
  const { succeeded, output } = await runTool(
    oasdiff,
    [
      ...['breaking', 'before.yaml', 'after.yaml', '--fail-on', 'WARN'],
      ...['--severity-levels', 'levels.txt', '--format', 'singleline'],
    ],
    { cwd: folder },
  );
  return succeeded ? '' : output;
};

describe('openapi.yaml', () => {
  it('breaks nothing that the last release promised', async ({ task }) => {
    const { text, note } = await releasedDescription(project);
    task.meta.note = note;
    expect(await breakingChanges(text, current), note).toBe('');
  });
});

type Change = (description: Document) => void;
const remove =
  (...path: readonly unknown[]): Change =>
  (description) => {
    description.deleteIn(path);
  };
const changed = (change: Change): string => {
  const description = parseDocument(current);
  change(description);
  return description.toString();
};

describe('the compatibility check', () => {
  const operation = ['paths', '/plants', 'get'];
  const responses = [...operation, 'responses'];
  const plant = ['components', 'schemas', 'Plant'];
  const errorValues = ['components', 'schemas', 'Error', 'properties', 'error', 'enum'];

  // Only what this project decides; oasdiff's own rules are its own.
  it.each<readonly [what: string, change: Change, rule: string]>([
    ['a plant without its tag', remove(...plant, 'properties', 'tag'), 'response-optional-property-removed'],
    ['an error value that was removed', remove(...errorValues, 0), 'response-property-enum-value-removed'],
    [
      'a failure’s status that was removed',
      remove(...responses, '429'),
      'response-non-success-status-removed',
    ],
    [
      'no link to the next page',
      remove(...responses, '200', 'headers', 'Link'),
      'optional-response-header-removed',
    ],
  ])('refuses %s', async (_what, change, rule) => {
    expect(await breakingChanges(current, changed(change))).toContain(`[${rule}]`);
  });

  it('allows another error value', async () => {
    expect(
      await breakingChanges(
        current,
        changed((each) => {
          each.addIn(errorValues, 2003);
        }),
      ),
    ).toBe('');
  });
  describe('compares with', () => {
    const repository = (): {
      folder: string;
      git: (...parameters: readonly string[]) => Promise<void>;
      commit: (file: string, text: string) => Promise<void>;
    } => {
      const folder = newFolder();
      const git = async (...parameters: readonly string[]): Promise<void> => {
        const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
        const { succeeded, output } = await runTool('git', ['-C', folder, ...identity, ...parameters]);
        expect(succeeded, output).toBe(true);
      };
      return {
        folder,
        git,
        commit: async (file, text) => {
          writeFileSync(join(folder, file), text);
          await git('add', file);
          await git('commit', '--quiet', '--message', text);
        },
      };
    };

    it('the description at the last release tag, and says which', async () => {
      const { folder, git, commit } = repository();
      await git('init', '--quiet');
      await commit('openapi.yaml', 'first');
      await git('tag', 'v1.9.0');
      await commit('openapi.yaml', 'second');
      await git('tag', 'v1.10.0');
      // Made for 1.9 after 1.10, and not a release.
      await git('tag', 'v1.9.1');
      await commit('openapi.yaml', 'third');
      for (const tag of ['nightly', 'v2-draft', 'v1.11.0-rc.1']) await git('tag', tag);
      const { text, note } = await releasedDescription(folder);
      expect([text, note]).toEqual(['second', expect.stringContaining('v1.10.0')]);
    });

    it('the first description while there is no release tag, and says so', async () => {
      const { folder, git, commit } = repository();
      await git('init', '--quiet');
      await commit('README.md', 'no description yet');
      await commit('openapi.yaml', 'first');
      await commit('openapi.yaml', 'second');
      const { text, note } = await releasedDescription(folder);
      expect([text, note]).toEqual(['first', expect.stringMatching(/no release tag.* [0-9a-f]{7,}/)]);
    });

    it('nothing without git’s whole history, and says what to do', async () => {
      await expect(releasedDescription(newFolder())).rejects.toThrow(/git repository.+--unshallow/);
      const { folder, git, commit } = repository();
      await git('init', '--quiet');
      await commit('openapi.yaml', 'first');
      await commit('openapi.yaml', 'second');
      const copy = join(newFolder(), 'copy');
      await git('clone', '--quiet', '--depth', '1', `file://${folder}`, copy);
      await expect(releasedDescription(copy)).rejects.toThrow(/whole history.+--unshallow/);
    });
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Document, parseDocument } from 'yaml';
import { z } from 'zod';
import { releasedDescription } from './released-description.ts';
import { runTool } from './tool.ts';

const oasdiff = z.string().parse(process.env['OASDIFF_COMMAND']);
const project = fileURLToPath(new URL('../..', import.meta.url));
const current = readFileSync(join(project, 'openapi.yaml'), 'utf8');

/** Where oasdiff's own weight of a change is not that of this service's callers. */
const severities = {
  // They show the tag and follow the link, though neither is always there.
  'response-optional-property-removed': 'err',
  'optional-response-header-removed': 'err',
  // They were told how to treat each failure, and would meet it undescribed.
  'response-non-success-status-removed': 'err',
  'response-property-enum-value-removed': 'err',
  // They decide by the value's range, so that new errors can be told apart later.
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

/** What oasdiff finds breaking, or might be; empty when nothing. */
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
  it('breaks nothing that the last release promised', async () => {
    const { revision, text } = await releasedDescription(project);
    expect(await breakingChanges(text, current), `changes since ${revision}`).toBe('');
  });
});

describe('the compatibility gate', () => {
  const changed = (change: (description: Document) => void): string => {
    const description = parseDocument(current);
    change(description);
    return description.toString();
  };
  const operation = ['paths', '/plants', 'get'];
  const parameter = { name: 'tag', in: 'query', required: true, schema: { type: 'string' } };
  const plant = ['components', 'schemas', 'Plant'];

  it.each<readonly [what: string, change: (description: Document) => unknown, rule: string]>([
    [
      'a plant’s name gone',
      (each) => each.deleteIn([...plant, 'properties', 'name']),
      'response-required-property-removed',
    ],
    [
      'a plant’s tag gone',
      (each) => each.deleteIn([...plant, 'properties', 'tag']),
      'response-optional-property-removed',
    ],
    [
      'a name that may be missing',
      (each) => {
        each.setIn([...plant, 'required'], []);
      },
      'response-property-became-optional',
    ],
    [
      'a tag that is a number',
      (each) => {
        each.setIn([...plant, 'properties', 'tag', 'type'], 'integer');
      },
      'response-property-type-changed',
    ],
    [
      'a parameter that is required',
      (each) => {
        each.addIn([...operation, 'parameters'], each.createNode(parameter));
      },
      'new-required-request-parameter',
    ],
    [
      'a parameter gone',
      (each) => each.deleteIn([...operation, 'parameters', 1]),
      'request-parameter-removed',
    ],
    [
      'a lower maximum for limit',
      (each) => {
        each.setIn([...operation, 'parameters', 0, 'schema', 'maximum'], 1000);
      },
      'request-parameter-max-decreased',
    ],
    [
      'an error value gone',
      (each) => each.deleteIn(['components', 'schemas', 'Error', 'properties', 'error', 'enum', 0]),
      'response-property-enum-value-removed',
    ],
    [
      'a failure’s status gone',
      (each) => each.deleteIn([...operation, 'responses', '429']),
      'response-non-success-status-removed',
    ],
    [
      'the success status gone',
      (each) => each.deleteIn([...operation, 'responses', '200']),
      'response-success-status-removed',
    ],
    [
      'the link to the next page gone',
      (each) => each.deleteIn([...operation, 'responses', '200', 'headers', 'Link']),
      'optional-response-header-removed',
    ],
    [
      'another path',
      (each) => {
        each.setIn(['paths', '/flora'], each.getIn(['paths', '/plants']));
        each.deleteIn(['paths', '/plants']);
      },
      'api-path-removed-without-deprecation',
    ],
  ])('refuses %s', async (_what, change, rule) => {
    expect(await breakingChanges(current, changed(change))).toContain(`[${rule}]`);
  });

  it.each<readonly [what: string, change: (description: Document) => void]>([
    [
      'a parameter that may be left out',
      (each) => {
        each.addIn([...operation, 'parameters'], each.createNode({ ...parameter, required: false }));
      },
    ],
    [
      'another property of a plant',
      (each) => {
        each.setIn([...plant, 'properties', 'origin'], each.createNode({ type: 'string' }));
      },
    ],
    [
      'another error value',
      (each) => {
        each.addIn(['components', 'schemas', 'Error', 'properties', 'error', 'enum'], 2003);
      },
    ],
    [
      'other words in a description',
      (each) => {
        each.setIn([...operation, 'description'], 'Lists plants.');
      },
    ],
    [
      'another failure’s status',
      (each) => {
        each.setIn([...operation, 'responses', '418'], each.getIn([...operation, 'responses', '429']));
      },
    ],
  ])('lets %s pass', async (_what, change) => {
    expect(await breakingChanges(current, changed(change))).toBe('');
  });

  describe('takes for what was released', () => {
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

    it('the description of the last release tag, whatever came after', async () => {
      const { folder, git, commit } = repository();
      await git('init', '--quiet');
      await commit('openapi.yaml', 'first');
      await git('tag', 'v1.0.0');
      await commit('openapi.yaml', 'second');
      await git('tag', 'v1.1.0');
      await commit('openapi.yaml', 'third');
      await git('tag', 'nightly');
      expect(await releasedDescription(folder)).toEqual({ revision: 'v1.1.0', text: 'second' });
    });

    it('the first description there was, before the first release', async () => {
      const { folder, git, commit } = repository();
      await git('init', '--quiet');
      await commit('README.md', 'no description yet');
      await commit('openapi.yaml', 'first');
      await commit('openapi.yaml', 'second');
      expect(await releasedDescription(folder)).toMatchObject({ text: 'first' });
    });

    it('nothing without git’s whole history, and says what to do', async () => {
      await expect(releasedDescription(newFolder())).rejects.toThrow(/is no git repository.+--unshallow/);
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

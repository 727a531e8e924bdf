// The suite `compatibility` proves: `openapi.yaml` breaks nothing that the last release’s description promised. It
// cannot see a change of behaviour that the description does not have.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Document, parseDocument } from 'yaml';
import { runTool } from './tool.ts';

const { OASDIFF_COMMAND: oasdiff = '' } = process.env;
const project = fileURLToPath(new URL('../..', import.meta.url));
const current = readFileSync(join(project, 'openapi.yaml'), 'utf8');

const git = (...parameters: readonly string[]): readonly string[] =>
  spawnSync('git', parameters, { cwd: project, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '');

/** The tag of the highest release before this commit, by its full name because a branch may have the short one. */
const releaseTag = git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--format=%(refname)').find(
  (tag) => /^refs\/tags\/v\d+\.\d+\.\d+$/.test(tag),
);
/** The commit of that release; while there is none, the one that added the description. */
const [released = 'HEAD'] =
  releaseTag === undefined
    ? git('log', '--reverse', '--diff-filter=A', '--format=%H', '--', 'openapi.yaml')
    : git('rev-parse', '--verify', `${releaseTag}^{commit}`);

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

const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
const levels = join(folder, 'levels.txt');
writeFileSync(
  levels,
  Object.entries(severities)
    .map((entry) => `${entry.join(' ')}\n`)
    .join(''),
);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const errorValue = ['components', 'schemas', 'Error', 'properties', 'error'];

/** A description with the examples of `error`, which are all its values, as an enum: oasdiff compares no examples. */
const withErrorValues = (text: string): string => {
  const description = parseDocument(text);
  const examples = description.getIn([...errorValue, 'examples']);
  if (examples !== undefined) description.setIn([...errorValue, 'enum'], examples);
  return description.toString();
};

/** The changes that oasdiff reports as breaking, or possibly breaking; empty if there are none. */
const breakingChanges = async (before: string, after: string): Promise<string> => {
  const files = Object.entries({ before, after }).map(([name, text]) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, withErrorValues(text));
    return file;
  });
  const { succeeded, output } = await runTool(oasdiff, [
    ...['breaking', ...files, '--fail-on', 'WARN'],
    ...['--severity-levels', levels, '--format', 'singleline'],
  ]);
  return succeeded ? '' : output;
};

describe('openapi.yaml', () => {
  it(`breaks nothing that ${releaseTag ?? released} promised`, async () => {
    const before = git('show', `${released}:openapi.yaml`).join('\n');
    expect(before).toContain('openapi: 3');
    expect(await breakingChanges(before, current)).toBe('');
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

// Only what this project decides; oasdiff's own rules are its own.
describe('the compatibility check', () => {
  const responses = ['paths', '/plants', 'get', 'responses'];
  const plant = ['components', 'schemas', 'Plant', 'properties'];
  const errorValues = [...errorValue, 'examples'];

  it.each<readonly [what: string, change: Change, rule: string]>([
    ['a plant without its tag', remove(...plant, 'tag'), 'response-optional-property-removed'],
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
    const added = changed((description) => {
      description.addIn(errorValues, 2003);
    });
    expect(await breakingChanges(current, added)).toBe('');
  });
});

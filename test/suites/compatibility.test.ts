// The suite `compatibility` proves: `openapi.yaml` breaks nothing that the last release’s description
// promised. It cannot see a change of behaviour that is not in the description.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { runTool } from './tool.ts';

const { OASDIFF_COMMAND: oasdiff = '' } = process.env;
const project = fileURLToPath(new URL('../..', import.meta.url));
const current = readFileSync(join(project, 'openapi.yaml'), 'utf8');

const git = (...parameters: readonly string[]): readonly string[] =>
  spawnSync('git', parameters, { cwd: project, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '');

/** The tag of the highest release before this commit. By its full name: a branch may have the short one. */
const releaseTag = git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--format=%(refname)').find(
  (tag) => /^refs\/tags\/v\d+\.\d+\.\d+$/.test(tag),
);
/** The commit of that release; while there is none, the one that added the description. */
const [released = 'HEAD'] =
  releaseTag === undefined
    ? git('log', '--reverse', '--diff-filter=A', '--format=%H', '--', 'openapi.yaml')
    : git('rev-parse', '--verify', `${releaseTag}^{commit}`);

/** The severity of changes for this service's callers, where oasdiff has another one. */
const severities = {
  // Callers show the tag and follow the link where present.
  'response-optional-property-removed': 'err',
  'optional-response-header-removed': 'err',
  // A failure would no longer be described.
  'response-non-success-status-removed': 'err',
  'response-property-enum-value-removed': 'err',
  // Callers decide by the value's range, so that new errors can be added.
  'response-property-enum-value-added': 'info',
};

const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
const levels = join(folder, 'levels.txt');
const lines = Object.entries(severities).map((entry) => entry.join(' '));
writeFileSync(levels, `${lines.join('\n')}\n`);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const errorValue = ['components', 'schemas', 'Error', 'properties', 'error'];

/** Makes the examples of `error`, which are all its values, an enum too: oasdiff compares no examples. */
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

// oasdiff tests its own rules. These are the ones that this project changes.
describe('the compatibility check', () => {
  const response = ['paths', '/plants', 'get', 'responses'];
  const plant = ['components', 'schemas', 'Plant', 'properties'];

  it.each([
    ['a plant without its tag', [...plant, 'tag'], 'response-optional-property-removed'],
    ['one error value less', [...errorValue, 'examples', 0], 'response-property-enum-value-removed'],
    ['one status of a failure less', [...response, '429'], 'response-non-success-status-removed'],
    ['no next page', [...response, '200', 'headers', 'Link'], 'optional-response-header-removed'],
  ])('refuses %s', async (_what, removed, rule) => {
    const description = parseDocument(current);
    description.deleteIn(removed);
    expect(await breakingChanges(current, description.toString())).toContain(`[${rule}]`);
  });

  it('allows another error value', async () => {
    const description = parseDocument(current);
    description.addIn([...errorValue, 'examples'], 2003);
    expect(await breakingChanges(current, description.toString())).toBe('');
  });
});

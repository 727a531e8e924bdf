// The suite `compatibility` proves: `openapi.yaml` breaks nothing that the last release’s description
// promised. It cannot see a change of behaviour that is not in the description.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readDocument } from '../support/markdown.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { runTool } from './tool.ts';

const oasdiff = process.env['OASDIFF_COMMAND'] ?? '';
const current = readDocument('openapi.yaml');

const git = (...parameters: readonly string[]): string =>
  execFileSync('git', parameters, { encoding: 'utf8' });
const added = ['log', '--reverse', '--diff-filter=A', '--format=%H', '--', 'openapi.yaml'];
/** The highest release in this commit's history; without one, the commit that added the description. */
const [released = ''] = [
  // Full names, because a branch may have the short name of a tag.
  ...git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--format=%(refname)').matchAll(
    /^refs\/tags\/v\d+\.\d+\.\d+$/gm,
  ),
  ...git(...added).matchAll(/^.+$/gm),
].map(([name]) => name);

/**
 * The severity of changes where it differs from oasdiff's: callers of this service show the tag, follow the
 * link, and decide by the range of an error's value, so that new values can be added.
 */
const severities = `
response-optional-property-removed err
optional-response-header-removed err
response-non-success-status-removed err
response-property-enum-value-removed err
response-property-enum-value-added info
`;
const folder = temporaryFolder();
const write = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const errorValue = ['components', 'schemas', 'Error', 'properties', 'error'];

/** Adds an enum with the examples of `error`, which are all its values: oasdiff compares no examples. */
const withErrorValues = (text: string): string => {
  const description = parseDocument(text);
  const examples = description.getIn([...errorValue, 'examples']);
  if (examples !== undefined) description.setIn([...errorValue, 'enum'], examples);
  return description.toString();
};

/** The changes that oasdiff reports as breaking, or possibly breaking; empty if there are none. */
const breakingChanges = async (before: string, after: string): Promise<string> => {
  const { succeeded, output } = await runTool(oasdiff, [
    'breaking',
    write('before.yaml', withErrorValues(before)),
    write('after.yaml', withErrorValues(after)),
    ...['--fail-on', 'WARN', '--severity-levels', write('levels.txt', severities.trimStart())],
    ...['--format', 'singleline'],
  ]);
  return succeeded ? '' : output;
};

it(`openapi.yaml is compatible with the description of ${released}`, async () => {
  expect(await breakingChanges(git('show', `${released}:openapi.yaml`), current)).toBe('');
});

// oasdiff tests its own rules. These are the ones that this project changes.
describe('the compatibility check', () => {
  const response = ['paths', '/plants', 'get', 'responses'];
  const plant = ['components', 'schemas', 'Plant', 'properties'];

  it.each([
    ['the tag of a plant', [...plant, 'tag'], 'response-optional-property-removed'],
    ['an error value', [...errorValue, 'examples', 0], 'response-property-enum-value-removed'],
    ['the status of a failure', [...response, '429'], 'response-non-success-status-removed'],
    ['the Link header', [...response, '200', 'headers', 'Link'], 'optional-response-header-removed'],
  ])('reports the removal of %s', async (_what, removed, rule) => {
    const description = parseDocument(current);
    description.deleteIn(removed);
    expect(await breakingChanges(current, description.toString())).toContain(`[${rule}]`);
  });

  it('allows a new error value', async () => {
    const description = parseDocument(current);
    description.addIn([...errorValue, 'examples'], 2003);
    expect(await breakingChanges(current, description.toString())).toBe('');
  });
});

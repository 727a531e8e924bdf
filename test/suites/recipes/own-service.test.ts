// Proves: the commands of docs/own-service.md turn a copy of the project into another service with writes.
// The recipes apply to it, and it passes its tests. `npm ci` is left out, because the copy shares this
// project's packages. In a project to which examples/crud cannot be applied, such as one that already has its
// operations, all tests are skipped, because step 1 applies it.
import { afterAll, describe, expect, it } from 'vitest';
import { samplePlants } from '../../../local/store/sample-plants.ts';
import { exchange } from '../../../smoke/client.ts';
import { sectionsOf, shellBlocks } from '../../support/markdown.ts';
import { readProjectFile } from '../../support/project-files.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { startService } from '../../support/service/running-service.ts';
import { canApplyOverlay } from '../crud/crud-copy.ts';
import { applyRecipe, recipeIn, recipes, recipesLeft } from '../recipe.ts';
import { runTool } from '../run-tool.ts';

const sections = new Map(sectionsOf(readProjectFile('docs/own-service.md'), 2));
const { folder, remove } = copyProject();
const left = recipesLeft(folder);
afterAll(remove);

const run = async (script: string): Promise<string> => {
  const { succeeded, stdout, output } = await runTool('bash', ['--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder,
  });
  expect(succeeded, output).toBe(true);
  return stdout;
};
const commit = (message: string): Promise<string> =>
  run(`git add --all && git commit --quiet --message ${message}`);

describe.skipIf(!canApplyOverlay)('docs/own-service.md', () => {
  it.each(['1. Decide', '2. Delete', '3. Rename', '4. Fields'])(
    'the commands of step %s, except npm, succeed',
    async (step) => {
      if (step === '1. Decide') await run('git init --quiet').then(() => commit('Copy'));
      const script = shellBlocks(sections.get(step) ?? '').join('');
      // The npm commands run once, in a later test.
      const commands = script.replaceAll(/^npm .*\n/gm, '');
      expect(commands).not.toBe('');
      await run(commands);
      await commit('Step');
    },
  );

  it('the result names no plant, and nothing that step 1 deletes', async () => {
    expect(await run('git grep -il -e plant -e own-service || true')).toBe('');
  });

  /** Like `npm run format`, but formats code of tests and benchmark only if a line is too long now. */
  const format = `git add --all
long=$(git grep -lE '^.{111}' -- '*.ts' || true)
{ git ls-files ':!bench/*.ts' ':!test/*.ts'; git ls-files test/contract; echo "$long"; } |
  sort -u | xargs bin/run prettier --write --cache --ignore-unknown
git add --all`;

  /** `npm test` without the check of the format, because only some files are formatted. */
  const check = (): Promise<string> =>
    run('npm run check:types && npm run check:lint && npm run test:run -- --update');

  it('the recipes apply to the result, and it passes its tests', async () => {
    await run(format).then(() => commit('Format'));
    const texts = recipes.map((recipe) => recipeIn(folder, recipe));
    for (const recipe of left) applyRecipe(recipeIn(folder, recipe), folder);
    const commands = texts.flatMap(shellBlocks).flatMap((block) => block.trimEnd().split('\n'));
    expect(new Set(commands)).toEqual(new Set(['npm test']));
    // The new names can be longer than those in the recipes, so lines of the recipes can need wrapping.
    await run(format);
    await check();
    // `--update` writes only the snapshots that the npm commands of step 3 write.
    expect(await run('git diff --name-only')).toMatch(/^(?:test\/infra\/snapshots\/\S+\n)*$/);
  }, 900_000);

  it('lists books with npm start', async () => {
    const service = await startService({ folder });
    const token = /Bearer ([\w.-]+)/.exec(service.command.output())?.[1] ?? '';
    const { status, body } = await exchange(service.baseUrl, '/books', { authorization: `Bearer ${token}` });
    await service.stop();
    const books = samplePlants
      .filter(({ principal }) => principal !== 'user#bob')
      .map(({ name, ...plant }) => ({ name, ...('tag' in plant && { genre: plant.tag }) }));
    const listed = books.map((book): unknown => expect.objectContaining(book));
    expect([status, body]).toEqual([200, expect.arrayContaining(listed)]);
  });
});

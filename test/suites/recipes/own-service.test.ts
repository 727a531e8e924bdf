// Proves: the commands of docs/own-service.md turn a copy of the project into another service that passes its
// tests. `npm ci` is left out, because the copy shares this project's packages.
import { afterAll, expect, it } from 'vitest';
import { samplePlants } from '../../../local/store/sample-plants.ts';
import { exchange } from '../../contract/client.ts';
import { readDocument, sectionsOf, shellBlocks } from '../../support/markdown.ts';
import { copyProject, startService } from '../../support/service/local-service.ts';
import { runTool } from '../tool.ts';

const sections = new Map(sectionsOf(readDocument('docs/own-service.md'), 2));
const { folder, remove } = copyProject();
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

it.each(['1. Delete', '2. Rename', '3. Fields'])(
  'the commands of step %s succeed',
  async (step) => {
    if (step === '1. Delete') await run('git init --quiet').then(() => commit('Copy'));
    const script = shellBlocks(sections.get(step) ?? '').join('');
    // npm test runs once, below.
    const commands = script.replaceAll(/^npm (?:ci|start)\b.*\n|^npm run synth\n| && npm test$/gm, '');
    expect(commands.split('\n').length).toBeGreaterThan(3);
    await run(commands);
    await commit('Step');
  },
  300_000,
);

it('the result names no plant and passes npm test', async () => {
  expect(await run('git grep -il plant || true')).toBe('');
  await run('npm test');
}, 900_000);

it('lists books with npm start', async () => {
  const service = await startService({ folder });
  const token = /Bearer ([\w.-]+)/.exec(service.command.output())?.[1] ?? '';
  const { status, body } = await exchange(service.baseUrl, '/books', { authorization: `Bearer ${token}` });
  await service.stop();
  const books = samplePlants
    .filter(({ principal }) => principal !== 'user#bob')
    .map(({ name, ...plant }) => ({ name, ...('tag' in plant && { genre: plant.tag }) }));
  expect([status, body]).toEqual([200, expect.arrayContaining(books)]);
});

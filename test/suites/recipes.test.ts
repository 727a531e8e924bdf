// The suite `recipes` proves: the documents that say how to add a field and a route are complete. Applied to
// a copy of the project, word for word and one after the other, they change as few files as they say, and the
// copy passes its own tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exchange } from '../contract/client.ts';
import { readDocument, sectionsOf, shellBlocks } from '../support/markdown.ts';
import { applyRecipe, filesCreatedBy } from '../support/recipe.ts';
import { copyProject, type LocalService, npm, startService } from '../support/service/local-service.ts';
import { runTool } from './tool.ts';

/** Upper bounds: `changed` counts files except snapshots; `existing`, product files that are not new. */
const recipes = [
  { page: '.github/CONTRIBUTING.md', section: 'Add a field', changed: 3, existing: 1 },
  { page: 'docs/add-a-route.md', section: undefined, changed: 7, existing: 2 },
] as const;

const { folder, remove } = copyProject();
afterAll(remove);

const git = async (...parameters: readonly string[]): Promise<readonly string[]> => {
  const identity = ['-c', 'user.name=recipes', '-c', 'user.email=recipes@example.com'];
  const { succeeded, output } = await runTool('git', [...identity, ...parameters], { cwd: folder });
  expect(succeeded, output).toBe(true);
  return output.split('\0').filter((file) => file !== '');
};

beforeAll(async () => {
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Copy the project');
});

describe.each(recipes)('$page', ({ page, section, changed, existing }) => {
  const document = readDocument(page);
  const text = section === undefined ? document : (new Map(sectionsOf(document, 2)).get(section) ?? '');

  it('applies to the copy, and its commands succeed', async () => {
    applyRecipe(text, folder);
    // npm test runs once, below, for all recipes.
    const commands = shellBlocks(text).flatMap((block) => block.trimEnd().split('\n'));
    expect(commands.at(-1)).toBe('npm test');
    for (const command of commands.slice(0, -1)) {
      const { succeeded, output } = await runTool('sh', ['-c', command], { cwd: folder });
      expect(succeeded, output).toBe(true);
    }
  });

  it('changes few files, and names each of them', async () => {
    await git('add', '--all');
    const files = await git('diff', '--cached', '--name-only', '-z');
    await git('commit', '--quiet', '--message', `Apply ${page}`);
    const counted = files.filter((file) => !/\bsnapshots\//.test(file));
    expect(counted.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(changed);
    const created = filesCreatedBy(text);
    const product = /^(?:functions|infra|table|local|cli)\//;
    const edited = counted.filter((file) => product.test(file) && !created.includes(file));
    expect(edited.length, edited.join('\n')).toBeLessThanOrEqual(existing);
  });
});

describe('the copy with both recipes', () => {
  it('passes npm test', { timeout: 600_000 }, async () => {
    const { code, output } = await npm(folder, ['test']).ended;
    expect(code, output).toBe(0);
  });

  it('synthesizes the same types of resources for the new route as for the list', async () => {
    const { code, output } = await npm(folder, ['run', 'synth']).ended;
    expect(code, output).toBe(0);
    const file = join(folder, 'cdk.out/PlantStore-prod.template.json');
    const { Resources } = z
      .object({ Resources: z.record(z.string(), z.looseObject({ Type: z.string() })) })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    const typesOf = (id: string): readonly string[] =>
      Object.values(Resources)
        .filter(({ Metadata }) => JSON.stringify(Metadata ?? '').includes(`PlantStore-prod/${id}/`))
        .map(({ Type }) => Type)
        .toSorted();
    for (const prefix of ['', 'PreTraffic']) {
      expect(typesOf(`${prefix}FindPlants`)).toEqual(typesOf(`${prefix}ListPlants`));
    }
    expect(typesOf('FindPlants')).toEqual(
      expect.arrayContaining(
        ['Lambda::Function', 'Lambda::Alias', 'IAM::Role', 'Logs::MetricFilter'].map(
          (type) => `AWS::${type}`,
        ),
      ),
    );
    expect(typesOf('PreTrafficFindPlants')).toContain('AWS::Lambda::Function');
    const dashboards = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(dashboards)).toContain('GET /plants/{name}: invocations');
  });

  describe('with npm start', () => {
    let service: LocalService;
    let token: string;
    beforeAll(async () => {
      service = await startService({ folder });
      token = /Bearer ([\w.-]+)/.exec(service.command.output())?.[1] ?? '';
      return () => service.stop();
    });

    it.each([
      ['/plants/Monstera', 200, [{ name: 'Monstera', tag: 'tropical' }, { name: 'Monstera' }]],
      ['/plants/Caf%C3%A9%20Marron', 200, [{ name: 'Café Marron', tag: 'endangered' }]],
      ['/plants/monstera', 404, { error: 1005 }],
      ['/plants/Monstera%2Fdeliciosa', 404, { message: 'Not Found' }],
    ])('responds to GET %s with %i', async (path, status, body) => {
      const response = await exchange(service.baseUrl, path, { authorization: `Bearer ${token}` });
      expect(response).toMatchObject({ status, body });
    });

    it('passes the smoke test', async () => {
      const environment = { BASE_URL: service.baseUrl, TOKEN: token };
      const { code, output } = await npm(folder, ['run', 'smoke'], environment).ended;
      expect(code, output).toBe(0);
    });
  });
});

// The suite `recipes` proves: the documents that say how to add a field and an operation are complete.
// Applied to a copy of the project, word for word and one after the other, they change as few files as they
// say, and the copy works. A recipe that the project has already is not applied again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { samplePlants } from '../../local/store/sample-plants.ts';
import { exchange } from '../../smoke/client.ts';
import { applyRecipe, filesCreatedBy, recipeIn, recipesLeft } from './recipe.ts';
import { runCommand } from '../support/service/command.ts';
import { copyProject } from '../support/service/project-copy.ts';
import { type LocalService, startService } from '../support/service/running-service.ts';
import { runTool } from './run-tool.ts';

const { folder, remove } = copyProject();
afterAll(remove);

const git = async (...parameters: readonly string[]): Promise<readonly string[]> => {
  const { succeeded, output } = await runTool('git', parameters, { cwd: folder });
  expect(succeeded, output).toBe(true);
  return output.split('\0').filter((file) => file !== '');
};

beforeAll(async () => {
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Copy the project');
});

describe.each(recipesLeft(folder))('$page', (recipe) => {
  const { page, maxChangedFiles, maxEditedProductFiles } = recipe;
  const text = recipeIn(folder, recipe);

  it('applies to the copy', () => {
    applyRecipe(text, folder);
  });

  it(`changes at most ${String(maxChangedFiles)} files, and names each of them`, async () => {
    await git('add', '--all');
    const files = await git('diff', '--cached', '--name-only', '-z');
    await git('commit', '--quiet', '--message', `Apply ${page}`);
    const counted = files.filter((file) => !/\bsnapshots\//.test(file));
    expect(counted.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(maxChangedFiles);
    const created = filesCreatedBy(text);
    const product = /^(?:functions|infra|table|local|cli)\//;
    const edited = counted.filter((file) => product.test(file) && !created.includes(file));
    expect(edited.length, edited.join('\n')).toBeLessThanOrEqual(maxEditedProductFiles);
  });
});

describe('the copy with all recipes', () => {
  it('has no recipe left to apply', () => {
    expect(recipesLeft(folder)).toEqual([]);
  });

  it('synthesizes the same types of resources for the new operations as for the list', async () => {
    // The suite `processes` runs CDK's default rules, which take most of a synthesis.
    const synth = ['cdk', 'synth', '--quiet', '--strict', '--context', 'stage=prod'];
    const { code, output } = await runCommand('bin/run', folder, synth, { CDK_VALIDATION: 'false' }).ended;
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
    for (const prefix of ['', 'PreTraffic'])
      expect(typesOf(`${prefix}ListNames`)).toEqual(typesOf(`${prefix}ListPlants`));
    expect(typesOf('ListNames')).toEqual(
      expect.arrayContaining(
        ['Lambda::Function', 'Lambda::Alias', 'IAM::Role', 'Logs::MetricFilter'].map(
          (type) => `AWS::${type}`,
        ),
      ),
    );
    expect(typesOf('PreTrafficListNames')).toContain('AWS::Lambda::Function');
    const dashboards = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(dashboards)).toContain('GET /names: invocations');
  });

  describe('with npm start', () => {
    let service: LocalService;
    let token: string;
    beforeAll(async () => {
      service = await startService({ folder });
      token = /Bearer ([\w.-]+)/.exec(service.command.output())?.[1] ?? '';
      return service.stop;
    });

    it('lists each name of alice’s plants once', async () => {
      const response = await exchange(service.baseUrl, '/names', { authorization: `Bearer ${token}` });
      const names = samplePlants.filter(({ principal }) => principal !== 'user#bob').map(({ name }) => name);
      expect([response.status, response.body]).toEqual([200, expect.arrayContaining(names)]);
    });

    it('passes the smoke test', async () => {
      const environment = { BASE_URL: service.baseUrl, TOKEN: token };
      const { code, output } = await runCommand('npm', folder, ['run', 'smoke'], environment).ended;
      expect(code, output).toBe(0);
    });
  });
});

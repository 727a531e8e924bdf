import { expect, it } from 'vitest';
import { resultsSchema } from '../bench/results.ts';
import { tables } from '../bench/tables.ts';
import { readProjectFile } from './support/project-files.ts';
import { idOf } from './support/template-resources.ts';
import { stageNamed, templateOf } from './support/synthesized.ts';

const results = resultsSchema.parse(JSON.parse(readProjectFile('bench/results.json')));
const readme = readProjectFile('bench/README.md');
const prod = templateOf(stageNamed('prod'));

it.each([
  ['list', 'ListPlants', 'The list function'],
  ['authorizer', 'Authorizer', 'The authorizer'],
] as const)('the published benchmark measured the %s with its deployed memory', (task, id, title) => {
  const { memoryMb } = results[task];
  const deployed = prod.findResources('AWS::Lambda::Function')[idOf(prod, 'AWS::Lambda::Function', id)];
  expect(deployed).toMatchObject({ Properties: { MemorySize: memoryMb } });
  expect(readme).toContain(`${title}, with ${memoryMb.toLocaleString('en')} MB:`);
});

it('bench/README.md has the tables of the published results', () => {
  expect(readme.match(/(?:^\|.*\n)+/gm)).toEqual(tables(results));
});

it('docs/scale.md calculates with the published durations', () => {
  const scale = readProjectFile('docs/scale.md');
  const list = results.list.variants['plant-store'];
  const authorizer = results.authorizer.variants['plant-store'];
  const ms = (figure = NaN, digits = 1): string => `${figure.toFixed(digits)} ms`;
  expect(scale).toContain(`${ms(list?.billedMs)} billed for a list of 20, ${ms(list?.longListMs)} for 4,000`);
  expect(scale).toContain(`${ms(authorizer?.billedMs)} billed for a decision`);
  expect(scale).toContain(`${ms(list?.coldMs, 0)} (list) and ${ms(authorizer?.coldMs, 0)} (authorizer)`);
});

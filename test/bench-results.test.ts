import { expect, it } from 'vitest';
import { tables } from '../bench/reporting/tables.ts';
import { resultsSchema } from '../bench/results.ts';
import { chosenMemory, memoryCosts } from '../bench/share/memory-choice.ts';
import { readDocument } from './support/markdown.ts';
import { idOf } from './support/resources.ts';
import { stageNamed, templateOf } from './support/synthesized.ts';

const results = resultsSchema.parse(JSON.parse(readDocument('bench/results.json')));
const prod = templateOf(stageNamed('prod'));

it.each(['list', 'authorizer'] as const)(
  'the published benchmark chooses the memory that the %s function has',
  (task) => {
    const functionId = { list: 'ListPlants', authorizer: 'Authorizer' }[task];
    const deployed =
      prod.findResources('AWS::Lambda::Function')[idOf(prod, 'AWS::Lambda::Function', functionId)];
    expect(deployed).toMatchObject({
      Properties: { MemorySize: chosenMemory(memoryCosts(results.memoryRuns, task))?.memoryMb },
    });
  },
);

it('bench/README.md has the tables of the published results', () => {
  expect(readDocument('bench/README.md').match(/(?:^\|.*\n)+/gm)).toEqual(tables(results));
});

it('docs/scale.md calculates with the published durations', () => {
  const scale = readDocument('docs/scale.md');
  const list = results.share.list['plant-store']?.['1024'];
  const authorizer = results.share.authorizer['plant-store']?.['512'];
  const ms = (figure = NaN, digits = 1): string => `${figure.toFixed(digits)} ms`;
  expect(scale).toContain(`${ms(list?.billedMs)} billed for a list of 20, ${ms(list?.largeMs)} for 4,000`);
  expect(scale).toContain(`${ms(authorizer?.billedMs)} billed for a decision`);
  expect(scale).toContain(`${ms(list?.coldMs, 0)} (list) and ${ms(authorizer?.coldMs, 0)} (authorizer)`);
});

import { expect, it } from 'vitest';
import { resultsSchema } from '../bench/results.ts';
import { chosenMemory, memoryCosts } from '../bench/share/memory-choice.ts';
import { readDocument } from './support/markdown.ts';
import { idOf } from './support/resources.ts';
import { stageNamed, templateOf } from './support/synthesized.ts';

const { memoryRuns } = resultsSchema.parse(JSON.parse(readDocument('bench/results.json')));
const prod = templateOf(stageNamed('prod'));

it.each(['list', 'authorizer'] as const)(
  'the published benchmark chooses the memory that the %s function has',
  (task) => {
    const functionId = { list: 'ListPlants', authorizer: 'Authorizer' }[task];
    const deployed =
      prod.findResources('AWS::Lambda::Function')[idOf(prod, 'AWS::Lambda::Function', functionId)];
    expect(deployed).toMatchObject({
      Properties: { MemorySize: chosenMemory(memoryCosts(memoryRuns, task))?.memoryMb },
    });
  },
);

import { expect, it } from 'vitest';
import { resultsSchema } from '../bench/results.ts';
import { chosenMemory, memoryCosts } from '../bench/share/memory-choice.ts';
import { stages } from '../infra/stages.ts';
import { readDocument } from './support/markdown.ts';

const { memoryRuns } = resultsSchema.parse(JSON.parse(readDocument('bench/results.json')));

it.each(['list', 'authorizer'] as const)(
  'the published benchmark chooses the memory that the %s function has',
  (task) => {
    const prod = stages.find(({ name }) => name === 'prod');
    const deployed = { list: prod?.listPlants.memoryMb, authorizer: prod?.authorizer.memoryMb };
    expect(chosenMemory(memoryCosts(memoryRuns, task))?.memoryMb).toBe(deployed[task]);
  },
);

import { describe, expect, it } from 'vitest';
import { leastJsonBytes, plantsJson } from '../../../functions/list-plants/plants-json.ts';
import type { Plant } from '../../../table/plant.ts';

describe('the JSON array of plants', () => {
  it('holds a long list in few pieces', () => {
    const plants = Array.from({ length: 2000 }, (_, index) => ({
      name: `${String(index)} ${'水'.repeat(1000)}`,
    }));
    const json = plantsJson();
    for (const plant of plants) json.add([plant]);
    const pieces = json.end();
    expect(pieces).toHaveLength(12);
    const text = JSON.stringify(plants);
    expect(Buffer.concat(pieces).toString()).toBe(text);
    expect(json.bytes()).toBe(Buffer.byteLength(text));
  });
});

describe('the least bytes of a plant', () => {
  it.each<[string, Plant]>([
    ['a name', { name: 'fern' }],
    ['a name beyond ASCII', { name: 'Ökobaum 水' }],
    ['a tag', { name: 'fern', tag: 'green' }],
    ['an empty tag', { name: 'fern', tag: '' }],
  ])('are those of its JSON and a comma: %s', (_, plant) => {
    expect(leastJsonBytes(plant)).toBe(Buffer.byteLength(`${JSON.stringify(plant)},`));
  });

  it('do not include escapes', () => {
    expect(leastJsonBytes({ name: '"\\' })).toBe(leastJsonBytes({ name: 'xx' }));
  });
});

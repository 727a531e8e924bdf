import { describe, expect, it } from 'vitest';
import { FirstPlants } from '../../../functions/plant-store/first-plants.ts';
import { storedPlant } from '../../support/table/stored-plants.ts';

/** The bytes of a plant in Lambda's response, with its comma: the quotes of a body are escaped there. */
const bytesOf = (json: string): number => JSON.stringify(json).length - 2;
/** Each takes 17 bytes. */
const plants = ['a', 'b', 'c', 'd'].map((name) => storedPlant(name));
const tagged = storedPlant('a', '1', 'xx');
const taggedBytes = bytesOf('{"name":"a","tag":"xx"},');
const namesIn = (kept: FirstPlants): string => Array.from(kept.inOrder(), ({ plant }) => plant.name).join('');

describe('the first plants', () => {
  it('are those of the only DynamoDB response, unchanged, also after an empty one', () => {
    const kept = new FirstPlants(Infinity, 100);
    kept.add([], 0);
    kept.add(plants, 1);
    expect(kept.inOrder()).toBe(plants);
  });

  it('are cut to one more than the limit, also for a single DynamoDB response', () => {
    const kept = new FirstPlants(2, 1000);
    kept.add(plants, 0);
    kept.cut(Infinity);
    expect([namesIn(kept), kept.last, kept.isTooLarge]).toEqual(['abc', plants[2]?.sortKey, false]);
    // Later plants cannot be in the list page.
    kept.add(plants.slice(3), 1);
    expect(namesIn(kept)).toBe('abc');
  });

  it('count the bytes of the copy with the lowest rank', () => {
    const kept = new FirstPlants(Infinity, 1000);
    kept.add([tagged], 1);
    kept.add(plants.slice(0, 2), 2);
    expect(kept.bytes).toBe(taggedBytes + 17);
    kept.add(plants.slice(0, 1), 0);
    expect(kept.bytes).toBe(17 + 17);
  });

  it('are too large only beyond `maxBytes`, and end at the first plant beyond it', () => {
    const exact = new FirstPlants(Infinity, 3 * 17);
    for (const [rank, plant] of plants.slice(0, 3).entries()) exact.add([plant], rank);
    exact.cut(Infinity);
    expect([exact.isTooLarge, exact.last]).toEqual([false, undefined]);
    const over = new FirstPlants(Infinity, 2 * 17);
    for (const [rank, plant] of plants.entries()) over.add([plant], rank);
    over.cut(Infinity);
    expect([over.isTooLarge, namesIn(over), over.bytes]).toEqual([true, 'abc', 3 * 17]);
  });

  it('are not too large while a shorter copy may follow, and keep all within the limit', () => {
    const kept = new FirstPlants(2, 2 * 17);
    kept.add([tagged], 1);
    kept.add(plants.slice(1, 2), 1);
    kept.cut(0);
    expect([kept.isTooLarge, kept.last, namesIn(kept)]).toEqual([false, undefined, 'ab']);
    kept.cut(1);
    expect(kept.isTooLarge).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { type AmbiguousGrant, plantsById } from '../../../cli/table/plants-by-id.ts';
import { sortKeyOf } from '../../../table/sort-key.ts';

const ids = Array.from({ length: 500 }, (_each, number) => `id-${String(number)}`);

/** 500 plants of two users; every tenth has another name for the second user. */
const twoUsers = (signal: AbortSignal) => {
  const plants = plantsById(signal);
  for (const [number, id] of ids.entries()) {
    plants.add({ principal: 'user#alice', sortKey: sortKeyOf('Rose', id) });
    plants.add({ principal: 'user#bob', sortKey: sortKeyOf(number % 10 === 0 ? 'Rosa' : 'Rose', id) });
  }
  return plants;
};

describe('the search for ids with several names', () => {
  it('finds exactly those among many, all grants of an id together and by name', async () => {
    const plants = twoUsers(new AbortController().signal);
    const found: AmbiguousGrant[] = [];
    for await (const each of plants.withSeveralNames()) found.push(each);
    plants.close();
    const expected = ids.filter((_id, number) => number % 10 === 0);
    expect(
      found
        .map(({ id }) => id)
        .filter((_id, index) => index % 2 === 0)
        .toSorted(),
    ).toEqual(expected.toSorted());
    for (let index = 0; index < found.length; index += 2)
      expect(found.slice(index, index + 2)).toEqual([
        { id: found[index]?.id, name: 'Rosa', principal: 'user#bob' },
        { id: found[index]?.id, name: 'Rose', principal: 'user#alice' },
      ]);
  });

  it('stops when the command is interrupted meanwhile, by a signal that arrives as an event', async () => {
    const interruption = new AbortController();
    const plants = twoUsers(interruption.signal);
    setImmediate(() => {
      interruption.abort(new Error('Ctrl-C'));
    });
    const found: string[] = [];
    const search = async (): Promise<void> => {
      for await (const { id } of plants.withSeveralNames()) found.push(id);
    };
    await expect(search()).rejects.toThrow('Ctrl-C');
    plants.close();
    expect(found.length).toBeLessThan(100);
  });
});

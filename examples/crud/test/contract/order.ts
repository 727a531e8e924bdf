import { expect, it } from 'vitest';
import { plantWith, undeclaredName } from '../support/table/field-samples.ts';
import { idOf, item } from '../support/table/plants.ts';
import { namesIn, newCaller } from './plants.ts';
import { added } from './single-plants.ts';
import type { Target } from './target.ts';

/** What depends on the sort key, and the members of a plant. */
export const describeOrder = (target: () => Target): void => {
  it('shows the id and the fields of each plant, and nothing else', async () => {
    const caller = newCaller(target());
    const noted = { ...item(caller.principal, 'Rose', 'r2', 'flower'), [undeclaredName]: { S: 'secret' } };
    await target().put([item(caller.principal, 'Fern', 'f1'), noted]);
    expect((await caller.get('/plants')).body).toEqual([
      plantWith({ id: idOf('Fern', 'f1'), name: 'Fern' }),
      plantWith({ id: idOf('Rose', 'r2'), name: 'Rose', tag: 'flower' }),
    ]);
  });

  it('lists by id, so that plants are in the order in which they were added', async () => {
    const caller = newCaller(target());
    for (const name of ['Rose', 'Aloe', 'Fern']) {
      await added(caller, { name });
      // Ids that are made in the same millisecond are in random order.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(namesIn(await caller.get('/plants'))).toEqual(['Rose', 'Aloe', 'Fern']);
  });
};

import { expect, it } from 'vitest';
import { plantWith, undeclaredName } from '../support/table/field-samples.ts';
import { item } from '../support/table/plants.ts';
import { namesIn, newCaller } from './plants.ts';
import type { Target } from './target.ts';

/** The order of plants, which depends on the sort key, and the members of a plant. */
export const describeOrder = (target: () => Target): void => {
  it('shows the fields of a plant, and no other attribute', async () => {
    const caller = newCaller(target());
    const noted = { ...item(caller.principal, 'Rose', 'r2', 'flower'), [undeclaredName]: { S: 'secret' } };
    await target().put([item(caller.principal, 'Fern', 'f1'), noted]);
    expect((await caller.get('/plants')).body).toEqual([
      plantWith({ name: 'Fern' }),
      plantWith({ name: 'Rose', tag: 'flower' }),
    ]);
  });

  it('lists by name in UTF-8 byte order', async () => {
    const caller = newCaller(target());
    const names = '\u{1f600}|\ufffd|é|z|Z|a|A|aa|a b|a\u0001|\ud7ff|\ue000|10|9|竹'.split('|');
    await target().put(names.map((name, index) => item(caller.principal, name, String(index))));
    const inByteOrder = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(namesIn(await caller.get('/plants'))).toEqual(inByteOrder);
  });
};

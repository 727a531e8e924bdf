import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowParser } from '../../cli/plant-row.ts';
import { itemOf, parseItem } from '../../table/item.ts';
import { idIn } from '../../table/sort-key.ts';

it('a row that import accepts is never stored as a damaged item', () => {
  const texts = ['', 'x'.repeat(900), 'x'.repeat(901), 'a\u0000b', '\ud800'];
  const anyText = fc.oneof(fc.constantFrom(...texts), fc.string());
  const rows = fc.record({ id: anyText, name: anyText, tag: anyText }, { requiredKeys: ['name'] });
  fc.assert(
    fc.property(rows, (values) => {
      const { plant } = rowParser('user:alice')(values);
      if (plant === undefined) return;
      const { id, ...shown } = plant;
      const item = itemOf('user#alice', plant);
      expect([parseItem(item)?.plant, idIn(item.sortKey.S)]).toEqual([shown, id]);
    }),
  );
});

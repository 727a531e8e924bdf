import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowParser } from '../../cli/plant-row.ts';
import { fields } from '../../table/fields.ts';
import { itemOf, parseItem } from '../../table/item.ts';
import { identified } from '../../table/plant.ts';
import { sampleOf } from '../../table/sample-values.ts';
import { idIn } from '../../table/sort-key.ts';

it('a row that import accepts is never stored as a damaged item', () => {
  const texts = ['', 'x'.repeat(900), 'x'.repeat(901), 'a\u0000b', '\ud800'];
  const anyText = fc.oneof(fc.constantFrom(...texts), fc.string());
  const numbers = fc.oneof(fc.constantFrom(0, 1e-131, 1e-130), fc.double());
  const others = fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        fc.oneof(anyText, numbers, fc.boolean(), fc.constant(null), fc.constant(sampleOf(field))),
      ]),
    ),
    { requiredKeys: [] },
  );
  const rows = fc.tuple(others, fc.record({ id: anyText, name: anyText }, { requiredKeys: ['name'] }));
  fc.assert(
    fc.property(rows, ([values, identity]) => {
      const { plant } = rowParser(fields, 'user:alice')({ ...values, ...identity });
      if (plant === undefined) return;
      const item = itemOf('user#alice', plant);
      const stored = parseItem(item);
      expect(stored && identified(idIn(item.sortKey.S), stored.plant)).toEqual(plant);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plantOf } from '../../../cli/rows/plant-row.ts';
import { itemOf, parseItem } from '../../../table/item.ts';
import { idIn } from '../../../table/sort-key.ts';

const good = { sortKey: { S: 'fern\u00001' }, name: { S: 'fern' } };

describe('an item', () => {
  it.each([
    ['no tag', {}, { name: 'fern' }],
    ['an empty tag', { tag: { S: '' } }, { name: 'fern', tag: '' }],
    ['a tag of 900 bytes', { tag: { S: '水'.repeat(300) } }, { name: 'fern', tag: '水'.repeat(300) }],
  ])('may have %s', (_, more, plant) => {
    expect(parseItem({ ...good, ...more })?.plant).toStrictEqual(plant);
  });

  it.each<[string, Parameters<typeof parseItem>[0]]>([
    ['no key', { name: good.name }],
    ['no name', { sortKey: good.sortKey }],
    ['another name than its key', { ...good, name: { S: 'rose' } }],
    ['a number for a tag', { ...good, tag: {} }],
    ['a tag of 901 bytes', { ...good, tag: { S: `${'水'.repeat(300)}x` } }],
  ])('is damaged when it has %s', (_, item) => {
    expect(parseItem(item)).toBeUndefined();
  });
});

describe('a row that import accepts', () => {
  it('is never stored as a damaged item', () => {
    const texts = ['', 'x'.repeat(900), 'x'.repeat(901), 'a\u0000b', '\ud800'];
    const anyText = fc.oneof(fc.constantFrom(...texts), fc.string());
    fc.assert(
      fc.property(
        fc.record({ id: anyText, name: anyText, tag: anyText }, { requiredKeys: ['name'] }),
        (values) => {
          const plant = plantOf({ line: 1, values });
          if (typeof plant === 'string') return;
          const { id, ...shown } = plant;
          const item = itemOf('user#alice', plant);
          expect([parseItem(item)?.plant, idIn(item.sortKey.S)]).toEqual([shown, id]);
        },
      ),
    );
  });
});

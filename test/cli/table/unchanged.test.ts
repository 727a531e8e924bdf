import { describe, expect, it } from 'vitest';
import type { StoredItem } from '../../../cli/table/grant.ts';
import { unchanged } from '../../../cli/table/unchanged.ts';

const key = { principal: { S: 'user#a' }, sortKey: { S: 'Aloe\u00001' } };

/** The condition with its names and values in place. */
const conditionOn = (item: StoredItem | undefined): readonly string[] => {
  const { ConditionExpression: text = '', ...attributes } = unchanged(item);
  return text
    .replaceAll(/#\d+/g, (name) => attributes.ExpressionAttributeNames?.[name] ?? name)
    .replaceAll(/:\d+/g, (name) => JSON.stringify(attributes.ExpressionAttributeValues?.[name]))
    .split(' AND ');
};

describe('the condition that an item is unchanged', () => {
  const cases: readonly (readonly [string, StoredItem | undefined, readonly string[]])[] = [
    ['no item', undefined, ['attribute_not_exists(principal)']],
    [
      'only a key',
      key,
      [
        'attribute_exists(principal)',
        ...['name', 'tag', 'plantId'].map((each) => `attribute_not_exists(${each})`),
      ],
    ],
    [
      'known and other attributes',
      { ...key, name: { S: 'Aloe' }, plantId: { S: '1' }, 'a b': { N: '1' } },
      [
        'attribute_exists(principal)',
        'name = {"S":"Aloe"}',
        'attribute_not_exists(tag)',
        'plantId = {"S":"1"}',
        'a b = {"N":"1"}',
      ],
    ],
    [
      'maps and lists, which dynalite cannot compare',
      { ...key, name: { S: 'Aloe' }, tag: { L: [] }, other: { M: { a: { S: 'b' } } } },
      [
        'attribute_exists(principal)',
        'name = {"S":"Aloe"}',
        'attribute_exists(tag)',
        'attribute_not_exists(plantId)',
        'attribute_exists(other)',
      ],
    ],
  ];
  it.for(cases)('names the attributes of %s', ([, item, condition]) => {
    expect(conditionOn(item)).toEqual(condition);
  });

  it('stays within DynamoDB’s limits for an expression, whatever the number of attributes', () => {
    const many = Array.from(
      { length: 2000 },
      (_each, index) => [`other ${String(index)}`, { NULL: true }] as const,
    );
    const { ConditionExpression: text = '' } = unchanged({ ...Object.fromEntries(many), ...key });
    expect(text.length).toBeLessThan(4096);
    expect(text.match(/ AND | = |attribute_/g)?.length).toBeLessThan(300);
  });
});

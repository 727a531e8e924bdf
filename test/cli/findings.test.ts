import { describe, expect, it } from 'vitest';
import { findingLine, type Problem, problemOf } from '../../cli/findings.ts';
import { grantFrom, type StoredItem } from '../../cli/table/grant.ts';

const key = { principal: { S: 'user#a' }, sortKey: { S: 'Aloe\u00001' } };
const healthy = { ...key, name: { S: 'Aloe' }, plantId: { S: '1' } };

const items: readonly (readonly [string, StoredItem, Problem | undefined])[] = [
  ['as import writes it', healthy, undefined],
  ['with a tag and attributes of others', { ...healthy, tag: { S: '' }, other: { N: '1' } }, undefined],
  ['without plantId', { ...key, name: { S: 'Aloe' } }, 'not in the index'],
  ['with a plantId of another type', { ...healthy, plantId: { N: '1' } }, 'not in the index'],
  ['with another plantId', { ...healthy, plantId: { S: '01' } }, 'other id in the index'],
  ['whose name is not in its key', { ...healthy, name: { S: 'Alo' } }, 'damaged'],
  ['damaged and without plantId', key, 'damaged'],
];

describe('an item', () => {
  it.for(items)('%s has its problem found, or none', ([, item, problem]) => {
    expect(problemOf(grantFrom(item))).toBe(problem);
  });
});

describe('the line of a finding', () => {
  it('has a name only if that is shown, and nothing that controls the terminal', () => {
    const finding = { principal: 'user#a\u001b[2J', sortKey: 'Al\toe\u0000\r1' };
    expect(findingLine(finding, 'damaged', false)).toBe('user:a\u{fffd}[2J\t\u{fffd}1\tdamaged');
    expect(findingLine(finding, 'damaged', true)).toBe('user:a\u{fffd}[2J\t\u{fffd}1\tdamaged\tAl\u{fffd}oe');
    expect(findingLine({ ...finding, sortKey: 'Secret' }, 'damaged', false)).toMatch(
      /\t[\da-f]{12}\tdamaged$/,
    );
  });
});

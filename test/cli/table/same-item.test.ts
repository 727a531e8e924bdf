import { describe, expect, it } from 'vitest';
import type { StoredItem } from '../../../cli/table/grant.ts';
import { sameItem } from '../../../cli/table/same-item.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const item = (value: StoredItem[string]): StoredItem => ({ sortKey: { S: 'a' }, value });

describe('two items', () => {
  const same: readonly (readonly [string, StoredItem[string], StoredItem[string]])[] = [
    ['the members of a set of texts', { SS: ['b', 'a'] }, { SS: ['a', 'b'] }],
    ['the members of a set of numbers', { NS: ['10', '9'] }, { NS: ['9', '10'] }],
    [
      'the members of a set of bytes',
      { BS: [bytes(2, 0), bytes(1)] },
      { BS: [bytes(1), Buffer.from([2, 0])] },
    ],
    [
      'sets and attributes that are deep inside',
      { M: { x: { L: [{ M: { s: { SS: ['b', 'a'] } } }] }, y: { NULL: true } } },
      { M: { y: { NULL: true }, x: { L: [{ M: { s: { SS: ['a', 'b'] } } }] } } },
    ],
  ];
  it.for(same)('are the same with %s in another order', ([, a, b]) => {
    expect(sameItem(item(a), item(b))).toBe(true);
  });

  const different: readonly (readonly [string, StoredItem[string], StoredItem[string]])[] = [
    ['members of a list in another order', { L: [{ S: 'b' }, { S: 'a' }] }, { L: [{ S: 'a' }, { S: 'b' }] }],
    ['another type', { S: '1' }, { N: '1' }],
    ['a set of another type', { SS: ['1'] }, { NS: ['1'] }],
    ['one more member', { SS: ['a'] }, { SS: ['a', 'b'] }],
    ['other bytes', { B: bytes(1) }, { B: bytes(2) }],
    ['other bytes in a set', { BS: [bytes(1)] }, { BS: [bytes(2)] }],
    ['another normal form', { S: '\u00e9' }, { S: 'e\u0301' }],
    ['another truth', { BOOL: true }, { BOOL: false }],
  ];
  it.for(different)('differ with %s', ([, a, b]) => {
    expect(sameItem(item(a), item(b))).toBe(false);
  });

  it('differ when one lacks an attribute', () => {
    expect(sameItem(item({ NULL: true }), { sortKey: { S: 'a' } })).toBe(false);
    expect(sameItem({ sortKey: { S: 'a' } }, item({ NULL: true }))).toBe(false);
  });
});

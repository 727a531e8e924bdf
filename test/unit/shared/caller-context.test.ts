import { describe, expect, it } from 'vitest';
import { isCallerContext, isGroupList } from '../../../functions/shared/caller-context.ts';

describe('a list of groups', () => {
  const groups = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `group-${String(index)}`);

  it.each([
    ['empty', []],
    ['one group', ['a']],
    ['the same group twice', ['a', 'a']],
    ['100 groups', groups(100)],
    ['a group of 255 bytes', ['x'.repeat(255)]],
  ])('may be %s', (_, list) => {
    expect(isGroupList(list)).toBe(true);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['a string', 'a'],
    ['an object', { 0: 'a', length: 1 }],
    ['101 groups', groups(101)],
    ['a list with an empty group', ['a', '']],
    ['a list with a number', ['a', 5]],
    ['a list with null', [null]],
    ['a list of lists', [['a']]],
    ['a list with a group of 256 bytes', ['x'.repeat(256)]],
    ['a list with a group of 128 letters of two bytes', ['é'.repeat(128)]],
  ])('must not be %s', (_, list) => {
    expect(isGroupList(list)).toBe(false);
  });
});

describe('a caller’s context', () => {
  const good = { subject: 'alice', groups: ['gardeners'], expiresAt: 1_893_456_000 };

  it('has a subject, groups and an expiry', () => {
    expect(isCallerContext(good)).toBe(true);
    expect(isCallerContext({ ...good, groups: [] })).toBe(true);
  });

  it.each(['subject', 'groups', 'expiresAt'])('is invalid without %s', (field) => {
    const context = Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
    expect(isCallerContext(context)).toBe(false);
  });
});

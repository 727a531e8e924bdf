import { describe, expect, it } from 'vitest';
import { isGroupList, parseCaller } from '../../../functions/shared/caller-context.ts';

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

describe('the caller in a context', () => {
  const good = { subject: 'alice', groups: ['gardeners'], expiresAt: 1_893_456_000.5 };

  it('has a subject, groups and an expiry', () => {
    expect(parseCaller({ ...good, callerId: '0123456789abcdef' })).toEqual(good);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['an empty list', []],
  ])('has no groups when they are %s', (_, groups) => {
    expect(parseCaller({ ...good, groups })).toEqual({ ...good, groups: [] });
  });

  it.each([
    '0',
    '1893456000',
    '1893456000.5',
    '1893456000.25',
    '1e3',
    '-1',
    '+1',
    '',
    ' 1',
    '1.',
    '.5',
    '0x1',
    'Infinity',
    '١',
  ])('may have an expiry in text only if it is decimal: "%s"', (expiresAt) => {
    const isDecimal = /^[0-9]+(\.[0-9]+)?$/.test(expiresAt);
    expect(parseCaller({ ...good, expiresAt })).toEqual(
      isDecimal ? { ...good, expiresAt: Number(expiresAt) } : undefined,
    );
  });

  it.each<[string, unknown]>([
    ['no object', 'alice'],
    ['null', null],
    ['no subject', { ...good, subject: undefined }],
    ['no expiry', { ...good, expiresAt: undefined }],
    ['an expiry of null', { ...good, expiresAt: null }],
    ['an expiry in a list', { ...good, expiresAt: [String(good.expiresAt)] }],
    ['an expiry beyond all numbers', { ...good, expiresAt: '9'.repeat(400) }],
    ['groups in a text', { ...good, groups: 'gardeners' }],
    ['groups of false', { ...good, groups: false }],
    ['groups of zero', { ...good, groups: 0 }],
  ])('is not valid with %s', (_, context) => {
    expect(parseCaller(context)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { parseCaller } from '../../../functions/shared/caller-context.ts';

const good = { subject: 'alice', groups: ['gardeners'], expiresAt: 1_893_456_000.5 };
const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index));

describe('the caller in a context', () => {
  it.each<[string, object, object]>([
    ['other members, which are ignored', { callerId: '0123456789abcdef', principals: ['user#bob'] }, {}],
    ...[undefined, null, '', []].map((none): [string, object, object] => [
      `groups of ${JSON.stringify(none)}`,
      { groups: none },
      { groups: [] },
    ]),
    ['the same group twice', { groups: ['a', 'a'] }, { groups: ['a', 'a'] }],
    ['100 groups', { groups: groups(100) }, { groups: groups(100) }],
    ...['0', '1893456000', '1893456000.25'].map((expiresAt): [string, object, object] => [
      `an expiry as the text ${expiresAt}`,
      { expiresAt },
      { expiresAt: Number(expiresAt) },
    ]),
  ])('may have %s', (_, changes, read) => {
    expect(parseCaller({ ...good, ...changes })).toEqual({ ...good, ...read });
  });

  it.each<[string, object]>([
    ['no subject', { subject: undefined }],
    ['an empty subject', { subject: '' }],
    ['a subject that is a number', { subject: 5 }],
    ...[
      false,
      0,
      'gardeners',
      '["gardeners"]',
      { 0: 'a', length: 1 },
      groups(101),
      [''],
      [5],
      [null],
      [['a']],
    ].map((value): [string, object] => [
      `groups of ${JSON.stringify(value).slice(0, 40)}`,
      { groups: value },
    ]),
    ...[
      undefined,
      null,
      NaN,
      Infinity,
      [5],
      '1e3',
      '-1',
      '+1',
      '',
      ' 1',
      '1.',
      '.5',
      '0x1',
      '1x',
      'Infinity',
      '١',
    ].map((value): [string, object] => [`an expiry of ${JSON.stringify(value)}`, { expiresAt: value }]),
    ['an expiry beyond all numbers', { expiresAt: '9'.repeat(400) }],
  ])('must not have %s', (_, changes) => {
    expect(parseCaller({ ...good, ...changes })).toBeUndefined();
  });

  it.each([undefined, null, 'alice', [[good]]])('is not in %j', (context) => {
    expect(parseCaller(context)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { parseCaller } from '../../../functions/http/caller-context.ts';

const good = { subject: 'alice', groups: ['gardeners'], expiresAt: 1_893_456_000.5 };
const groups = (count: number): readonly string[] => Array.from({ length: count }, () => 'gardeners');

describe('the caller context', () => {
  it.each<[string, object, object]>([
    ['other members', { callerId: '0123456789abcdef', principals: ['user#bob'] }, {}],
    ['no groups', { groups: undefined }, { groups: [] }],
    ['null as groups', { groups: null }, { groups: [] }],
    ['an empty text as groups', { groups: '' }, { groups: [] }],
    ['an expiry in text', { expiresAt: '1893456000' }, { expiresAt: 1_893_456_000 }],
    ['an expiry in text with decimals', { expiresAt: '1893456000.25' }, { expiresAt: 1_893_456_000.25 }],
  ])('is accepted with %s', (_, changes, read) => {
    expect(parseCaller({ ...good, ...changes })).toEqual({ ...good, ...read });
  });

  const texts = '1e3|-1|+1|| 1|1.|.5|0x1|1x|Infinity|١'.split('|');
  it.each<[string, readonly unknown[]]>([
    ['subject', ['', 5]],
    ['groups', [false, 0, 'a', '["a"]', { 0: 'a', length: 1 }, groups(101), [''], [5], [null], [['a']]]],
    ['expiresAt', [null, NaN, Infinity, [5], '9'.repeat(400), ...texts]],
  ])('is refused if its member %s is invalid', (field, values) => {
    for (const value of values)
      expect([value, parseCaller({ ...good, [field]: value })]).toEqual([value, undefined]);
  });

  it.each(['subject', 'expiresAt'])('is refused if its member %s is missing', (field) => {
    expect(parseCaller({ ...good, [field]: undefined })).toBeUndefined();
  });

  it.each([undefined, null, 'alice', [[good]]])('is refused if it is %j', (context) => {
    expect(parseCaller(context)).toBeUndefined();
  });
});

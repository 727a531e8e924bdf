import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, ServiceError } from '../../../functions/list-plants/errors.ts';
import { principalsOf } from '../../../functions/list-plants/http/list-request.ts';

const now = Date.UTC(2030, 0, 1);
const good = { subject: 'alice', groups: ['gardeners', 'buyers'], expiresAt: now / 1000 + 60 };
const refusal = new ServiceError(catalogue.noCaller);

describe('the caller’s principals', () => {
  it('are the user and each group', () => {
    expect(principalsOf(good, now)).toEqual(['user#alice', 'group#gardeners', 'group#buyers']);
  });

  it.each([undefined, null, '', []])('are only the user when a gateway passed on groups of %j', (groups) => {
    expect(principalsOf({ ...good, groups }, now)).toEqual(['user#alice']);
  });

  it('are refused from the moment of the token’s expiry, also when a gateway wrote it as text', () => {
    expect(principalsOf({ ...good, expiresAt: String(now / 1000 + 1) }, now)).toHaveLength(3);
    expect(() => principalsOf({ ...good, expiresAt: String(now / 1000) }, now)).toThrow(refusal);
  });

  it('contain a repeated group once', () => {
    expect(principalsOf({ ...good, groups: ['buyers', 'buyers'] }, now)).toEqual([
      'user#alice',
      'group#buyers',
    ]);
  });

  it('distinguish a user and a group of the same name', () => {
    expect(principalsOf({ ...good, groups: ['alice'] }, now)).toEqual(['user#alice', 'group#alice']);
  });

  it('ignore other members of the context', () => {
    expect(principalsOf({ ...good, principals: ['user#bob'] }, now)).toHaveLength(3);
  });

  it('are refused from the moment of the token’s expiry', () => {
    expect(principalsOf({ ...good, expiresAt: now / 1000 + 0.001 }, now)).toHaveLength(3);
    for (const expiresAt of [now / 1000, now / 1000 - 1, 0, -1]) {
      expect(() => principalsOf({ ...good, expiresAt }, now)).toThrow(refusal);
    }
  });

  it.each([
    ['no context', undefined],
    ['null', null],
    ['a string', 'alice'],
    ['a list', [good]],
    ['an empty object', {}],
    ['no subject', { ...good, subject: undefined }],
    ['an empty subject', { ...good, subject: '' }],
    ['a subject that is a number', { ...good, subject: 5 }],
    ['a subject of 256 bytes', { ...good, subject: 'x'.repeat(256) }],
    ['groups in a string', { ...good, groups: 'gardeners' }],
    ['groups in a JSON string', { ...good, groups: '["gardeners"]' }],
    ['a group that is empty', { ...good, groups: ['gardeners', ''] }],
    ['a group that is a number', { ...good, groups: [5] }],
    ['101 groups', { ...good, groups: Array.from({ length: 101 }, (_, index) => `g${String(index)}`) }],
    ['no expiry', { ...good, expiresAt: undefined }],
    ['an expiry that is null', { ...good, expiresAt: null }],
    ['an expiry that is a date', { ...good, expiresAt: '2999-12-31T23:59:59Z' }],
    ['an expiry that is not a number', { ...good, expiresAt: NaN }],
    ['an infinite expiry', { ...good, expiresAt: Infinity }],
  ])('are refused when the context is malformed: %s', (_, context) => {
    expect(() => principalsOf(context, now)).toThrow(refusal);
  });

  it('are refused for any other value', () => {
    fc.assert(
      fc.property(fc.anything(), (context) => {
        expect(() => principalsOf(context, now)).toThrow(refusal);
      }),
    );
  });

  it('of two callers overlap only in a shared user or group', () => {
    const name = fc.oneof(
      fc.constantFrom('alice', 'user#alice', 'group#alice', '#', 'a#b', 'user', 'group'),
      fc.string({ minLength: 1, maxLength: 5 }),
    );
    const caller = fc.record({ subject: name, groups: fc.array(name, { maxLength: 4 }) });
    fc.assert(
      fc.property(caller, caller, (one, other) => {
        const [ones, others] = [one, other].map((each) => principalsOf({ ...good, ...each }, now));
        const shared = ones?.filter((principal) => others?.includes(principal)) ?? [];
        const groups = new Set(one.groups).intersection(new Set(other.groups));
        expect(shared.length).toBe(Number(one.subject === other.subject) + groups.size);
      }),
    );
  });
});

import { expect, it } from 'vitest';
import { acceptedVersions, etagOf, isKnownVersion } from '../../../functions/http/etag.ts';
import { resourceErrors } from '../../../functions/http/resource-errors.ts';
import { ServiceError } from '../../../functions/http/service-error.ts';

const versionsIn = (ifMatch: string) => acceptedVersions({ headers: { 'if-match': ifMatch } });

it('reads the version from the ETag that was made from it', () => {
  expect(versionsIn(etagOf('v1'))).toEqual(['v1']);
});

it('accepts any version without If-Match', () => {
  expect(acceptedVersions({})).toBeUndefined();
});

it.each([
  ['a list', '"a", "b","c"', ['a', 'b', 'c']],
  ['an empty ETag', '""', ['']],
  ['an ETag with a comma', '"a,b"', ['a,b']],
  ['a weak ETag, which matches nothing,', 'W/"a"', []],
  ['a weak and a strong ETag', 'W/"a", "b"', ['b']],
  ['a weak and a strong ETag without a space', 'W/"a","b",W/"c","d"', ['b', 'd']],
  ['an ETag that ends with W/', '"W/","a"', ['W/', 'a']],
  ['empty elements of a list', ', "a",, "b",', ['a', 'b']],
])('reads %s in If-Match', (_, header, versions) => {
  expect(versionsIn(header)).toEqual(versions);
});

it.each(['', '*', 'a', '"a', 'a"', '"a" "b"', ',', '"a",b', 'b,"a"', '"a""b"', '"a b"', 'w/"a"', '"é"'])(
  'rejects If-Match: %s with error 1010',
  (header) => {
    expect(() => versionsIn(header)).toThrow(new ServiceError(resourceErrors.invalidCondition));
  },
);

it.each([
  ['the ETag', '"a"', true],
  ['the weak ETag', 'W/"a"', true],
  ['a list with the ETag', '"b", "a"', true],
  ['*', '*', true],
  ['another ETag', '"b"', false],
  ['a malformed list', '"a" b', false],
  ['no ETag', '', false],
])('If-None-Match with %s', (_, header, isKnown) => {
  expect(isKnownVersion({ headers: { 'if-none-match': header } }, 'a')).toBe(isKnown);
});

it('without If-None-Match, no version is known', () => {
  expect(isKnownVersion({}, '')).toBe(false);
});

it.each(['"a",', 'W/"a"', ''])('rejects If-Match of %s, 100,000 spaces and a letter', (start) => {
  expect(() => versionsIn(`${start}${' '.repeat(100_000)}x`)).toThrow(
    new ServiceError(resourceErrors.invalidCondition),
  );
});

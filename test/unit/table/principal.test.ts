import { describe, expect, it } from 'vitest';
import { isPrincipalName } from '../../../table/principal.ts';

describe('the name of a user or group', () => {
  it.each([
    ['one letter', 'a'],
    ['spaces', '  '],
    ['255 letters', 'x'.repeat(255)],
    ['127 letters of two bytes and one of one', `${'é'.repeat(127)}x`],
    ['85 letters of three bytes', '水'.repeat(85)],
    ['63 letters of four bytes and one of three', `${'\u{1f33f}'.repeat(63)}水`],
  ])('may be %s', (_, name) => {
    expect(isPrincipalName(name)).toBe(true);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 5],
    ['a list', ['a']],
    ['an object', { name: 'a' }],
    ['true', true],
    ['empty', ''],
    ['256 letters', 'x'.repeat(256)],
    ['128 letters of two bytes', 'é'.repeat(128)],
    ['86 letters of three bytes', '水'.repeat(86)],
    ['64 letters of four bytes', '\u{1f33f}'.repeat(64)],
    ['not well-formed Unicode', 'a\ud800'],
  ])('must not be %s', (_, name) => {
    expect(isPrincipalName(name)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { isPrincipalName } from '../../../table/principal.ts';

describe('the name of a user or group', () => {
  it.each([
    ['spaces', '  '],
    ['255 letters', 'x'.repeat(255)],
    ['255 bytes in 64 letters', `${'\u{1f33f}'.repeat(63)}水`],
  ])('may be %s', (_, name) => {
    expect(isPrincipalName(name)).toBe(true);
  });

  it.each([
    ['missing', undefined],
    ['a list', ['a']],
    ['empty', ''],
    ['256 letters', 'x'.repeat(256)],
    ['256 bytes in 128 letters', 'é'.repeat(128)],
    ['not well-formed Unicode', 'a\ud800'],
  ])('must not be %s', (_, name) => {
    expect(isPrincipalName(name)).toBe(false);
  });
});

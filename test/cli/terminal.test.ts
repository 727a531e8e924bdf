import { expect, it } from 'vitest';
import { escaped } from '../../cli/terminal/escaped.ts';

it('a text for a terminal has escapes as in JSON for control and invisible characters only', () => {
  const hidden = '\u009b\u202e\u2028\u2029\u200b\u{e0001}\ud800\u0007\r\u001b\u007f';
  expect(escaped(hidden)).toMatch(/^(\\u[0-9a-f]{4}){12}$/);
  expect(JSON.parse(`"${escaped(hidden)}"`)).toBe(hidden);
  expect(escaped('Aloë 🌵 水\n"a b"')).toBe('Aloë 🌵 水\n"a b"');
});

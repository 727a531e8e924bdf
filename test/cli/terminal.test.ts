import { expect, it } from 'vitest';
import { escaped, escapedLines } from '../../terminal/escaped.ts';

it('escapes control and invisible characters as in JSON, and no others', () => {
  const hidden = '\u009b\u202e\u2028\u2029\u200b\u{e0001}\ud800\u0007\r\n\u001b\u007f';
  expect(escaped(hidden)).toMatch(/^(\\u[0-9a-f]{4}){13}$/);
  expect(JSON.parse(`"${escaped(hidden)}"`)).toBe(hidden);
  expect(escaped('Aloë 🌵 水 "a b"')).toBe('Aloë 🌵 水 "a b"');
});

it('escapes lines, but not their line ends', () => {
  expect(escapedLines('a\u009b\nb\r\n')).toBe('a\\u009b\nb\\u000d\n');
});

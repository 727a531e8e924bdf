import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../cli/parse-json.ts';

const placeOf = (text: string): string | undefined => {
  try {
    parseJson(text, (line, column) => new Error(`${line}:${column}`));
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
  return undefined;
};

it('broken JSON is refused with the line and column of its first wrong character', () => {
  const texts = fc
    .tuple(fc.jsonValue(), fc.constantFrom('', ' ', '\n\t'))
    .map(([value, indent]) => JSON.stringify(value, undefined, indent));
  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom('@', 'x'), (text, random, wrong) => {
      // Before a separator, or at the end.
      const places = [...text.matchAll(/[[\]{},:]|$/g)].map(({ index }) => index);
      const place = places[random % places.length] ?? 0;
      const broken = text.slice(0, place) + wrong + text.slice(place);
      const lines = broken.slice(0, place).split('\n');
      const expected = `${String(lines.length)}:${String((lines.at(-1)?.length ?? 0) + 1)}`;
      // Inside a string, the character is valid.
      expect([undefined, expected]).toContain(placeOf(broken));
      if (/^[^"]*$/.test(text.slice(0, place))) expect(placeOf(broken)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['after a backslash in a string', '[\n  "C:\\Жук",\n  "Rose"\n]', '2:7'],
  ['after a backslash at the end of the file', '[\n  "C:\\', '2:7'],
  ['a line end in a string', `[${'\r'.repeat(9)}${' '.repeat(9)}"a\n"]`, '10:12'],
])('broken JSON is refused at its first wrong character: %s', (_, text, place) => {
  expect(placeOf(text)).toBe(place);
});

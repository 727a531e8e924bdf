import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonArray } from '../../cli/rows/read-json-array.ts';
import type { Row } from '../../cli/rows/row.ts';

/** The rows of a JSON file that is read in chunks of so many bytes, and the error after them. */
const read = async (json: string, chunkBytes = 1000) => {
  const bytes = Buffer.from(json);
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
  };
  const rows: Row[] = [];
  let error = '';
  try {
    for await (const row of readJsonArray(chunks())) rows.push(row);
  } catch (caught) {
    error = String(caught);
  }
  return { values: rows.map(({ values }) => values), rows, error };
};

const isArray = (json: string): boolean => {
  try {
    return Array.isArray(JSON.parse(json));
  } catch {
    return false;
  }
};

describe('a JSON array', () => {
  it('gives back the values that were written to it, however it is indented and cut', async () => {
    const written = fc.array(fc.jsonValue({ stringUnit: 'binary', noUnicodeString: false }));
    await fc.assert(
      fc.asyncProperty(
        written,
        fc.constantFrom('', '\r\n', '\t'),
        fc.integer({ min: 1, max: 50 }),
        async (values, indent, chunkBytes) => {
          const json = JSON.stringify(values, null, indent);
          const { values: found, error } = await read(json, chunkBytes);
          expect([found, error]).toEqual([JSON.parse(json), '']);
        },
      ),
    );
  });

  it('is read where JSON.parse reads it, and nowhere else', async () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      '1',
      '"a"',
      ' ',
      '\n',
      'null',
      '[1]',
    );
    const almost = fc.array(pieces, { maxLength: 8 }).map((parts) => `[${parts.join('')}]`);
    await fc.assert(
      fc.asyncProperty(almost, async (json) => {
        const { values, error } = await read(json, 3);
        expect(error === '').toBe(isArray(json));
        if (isArray(json)) expect(values).toEqual(JSON.parse(json));
      }),
      { numRuns: 3000 },
    );
  });

  it.for([
    ['one long text', '[1,\n"', 'x', 'Line 2'],
    ['an array without an end', '[1,[\n', '{},', 'Line 1'],
    ['an object without an end', '[1,{"x":[', '[', 'Line 1'],
  ] as const)('may not have an element of more than 1,000,000 bytes: %s', async ([, start, more, place]) => {
    const { values, error } = await read(start + more.repeat(1_000_001), 100_000);
    expect(values).toEqual([1]);
    expect(error).toContain(`${place}: an element is longer than 1,000,000 bytes.`);
  });

  it('may have elements of 1,000,000 bytes', async () => {
    const longest = `"${'x'.repeat(999_998)}"`;
    expect(await read(`[${longest},  ${longest}]`, 300_000)).toMatchObject({
      values: { length: 2 },
      error: '',
    });
    expect(await read(`[ ${longest.replace('x', 'xx')}]`, 300_000)).toMatchObject({ values: [] });
  });

  it('numbers the elements that share a line with the one before', async () => {
    const { rows } = await read('\n[1,2,\n3,\n\n4 , 5]');
    expect(rows.map(({ line, element }) => [line, element])).toEqual([
      [2, 1],
      [2, 2],
      [3, undefined],
      [5, undefined],
      [5, 5],
    ]);
  });
});

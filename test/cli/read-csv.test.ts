import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../cli/rows/read-csv.ts';
import type { Row } from '../../cli/rows/row.ts';

/** The rows of a CSV file that is read in chunks of so many bytes. */
const rowsOf = async (csv: string | Buffer, chunkBytes = 1000): Promise<readonly Row[]> => {
  const bytes = Buffer.from(csv);
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
  };
  const rows: Row[] = [];
  for await (const row of readCsv(chunks())) rows.push(row);
  return rows;
};

const cell = fc.string({ unit: 'binary', minLength: 1 });
const awkwardCell = fc
  .array(fc.constantFrom('"', ',', '\n', '\r', '\r\n', 'é', '🌵', 'a'), { minLength: 1 })
  .map((parts) => parts.join(''));
const text = fc.oneof(cell, awkwardCell);
const plant = fc.record({ id: text, name: text, tag: text }, { requiredKeys: ['name'] });

const quoted = (value = ''): string => `"${value.replaceAll('"', '""')}"`;
const quotedWhereNeeded = (value = ''): string => (/[",\r\n]/.test(value) ? quoted(value) : value);

describe('a CSV file', () => {
  it('gives back the plants that were written to it, whatever their texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plant),
        fc.constantFrom(quoted, quotedWhereNeeded),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 50 }),
        async (plants, write, lineEnd, chunkBytes) => {
          const lines = plants.map(({ id, name, tag }) =>
            [id, name, tag].map((each) => write(each)).join(','),
          );
          const rows = await rowsOf(['id,name,tag', ...lines, ''].join(lineEnd), chunkBytes);
          expect(rows.map(({ values }) => values)).toEqual(plants);
        },
      ),
    );
  });

  it('loses one row to a quote that is not closed, and names its line', async () => {
    const plainText = text.map((value) => value.replaceAll(/["\r\n]/g, '-'));
    await fc.assert(
      fc.asyncProperty(fc.array(plainText), plainText, fc.array(plainText), async (before, broken, after) => {
        const lines = [...before.map(quoted), `"${broken}`, ...after.map(quoted)];
        const rows = await rowsOf(['name', ...lines].join('\n'));
        const refused = rows.filter(({ problem }) => problem !== undefined);
        expect(refused.map(({ line }) => line)).toEqual([before.length + 2]);
        expect(rows.flatMap(({ values, problem }) => (problem === undefined ? [values] : []))).toEqual(
          [...before, ...after].map((name) => ({ name })),
        );
      }),
    );
  });

  it.for([
    ['longer than 1 MB', Buffer.from(`"${`${'x'.repeat(999)}\n`.repeat(1001)}"`)],
    ['not UTF-8', Buffer.from('"Sec\nr\u00e9t\nx"', 'latin1')],
    ['not closed, and the file ends', Buffer.from('"Secret')],
  ] as const)('does not load a quoted cell that is %s', async ([, brokenCell]) => {
    const rows = await rowsOf(Buffer.concat([Buffer.from('name\nAloe\n'), brokenCell]), 100_000);
    expect(rows[0]).toEqual({ line: 2, values: { name: 'Aloe' } });
    expect(rows[1]).toMatchObject({ line: 3 });
    expect(rows[1]?.problem).toContain('quote');
    const loaded = rows.filter(({ problem }) => problem === undefined);
    expect(JSON.stringify(loaded)).not.toContain('\u{fffd}');
  });

  it('may have a cell of almost 1 MB that is full of quotes', async () => {
    const name = '"\n'.repeat(330_000);
    const rows = await rowsOf(`name\n${quoted(name)}\nAloe`, 100_000);
    // The comparison itself, since a failure would print both.
    expect(isDeepStrictEqual(rows[0]?.values, { name })).toBe(true);
    expect(rows[1]?.values).toEqual({ name: 'Aloe' });
  });
});

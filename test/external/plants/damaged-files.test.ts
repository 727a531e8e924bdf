import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsed, plants, type TestTable, testTable } from '../../support/plants-command.ts';

const allIn = /^\d+ rows? .*\b0 rows refused/;
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** What is damaged, the file's content, the one line that says so, the good rows' names in the table's order, the file. */
const damages: readonly (readonly [string, string | Buffer, RegExp, readonly string[], string?])[] = [
  ['a header without the name column', 'id,tag\n1,fern\n', /^Line 1\b.*columns.*\bname\b/, []],
  ['no header', 'Secret,fern\nAloe,succulent\n', /^Line 1\b.*columns.*\bcolumn 1\b/, []],
  ['a misspelt column', 'name,tags\nSecret,fern\n', /^Line 1\b.*columns.*\bcolumn 2\b/, []],
  ['columns separated by semicolons', 'name;tag\nSecret;fern\n', /^Line 1\b.*columns.*\bcommas\b/, []],
  ['a byte order mark', '\u{feff}"name","tag"\nAloe,fern\n', allIn, ['Aloe']],
  ['a byte order mark before NDJSON', '\u{feff}{"name":"Aloe"}\n', allIn, ['Aloe'], 'plants.jsonl'],
  ['a byte order mark before JSON', '\u{feff}[{"name":"Aloe"}]', allIn, ['Aloe'], 'plants.json'],
  [
    'line ends of Windows',
    'name,tag\r\nAloe,fern\r\n\r\n"Basil\r\nof two lines",herb\r\n',
    allIn,
    ['Aloe', 'Basil\r\nof two lines'],
  ],
  ['line ends that are CR alone', 'name,tag\rSecret,fern\r', /^Line 1\b.*\bCR\b.*\bLF\b/, []],
  [
    'quotes, commas and line ends in quoted cells',
    'name,tag\n"Aloe, ""the big""\none",fern\nBasil,\n',
    allIn,
    ['Aloe, "the big"\none', 'Basil'],
  ],
  [
    'a quote that is never closed',
    'name,tag\nAloe,fern\n"Secret,fern\nBasil,herb\n"Clover, the red",herb\n',
    /^Line 3\b.*quote.*closed/,
    ['Aloe', 'Basil', 'Clover, the red'],
  ],
  [
    'a quote in the middle of a cell',
    'name,tag\nAloe,fern\nSecret "5" inch,fern\nBasil,herb\n',
    /^Line 3\b.*quote/,
    ['Aloe', 'Basil'],
  ],
  ['names of emoji', 'name,tag\n🌵,cactus\n👩‍🌾🪴,\n', allIn, ['🌵', '👩‍🌾🪴']],
  ['U+0000 in a name', 'name,tag\nAloe,fern\nSec\u0000ret,fern\n', /^Line 3\b.*name.*U\+0000/, ['Aloe']],
  [
    'a name of 901 bytes',
    `name,tag\n${'é'.repeat(450)},fern\n${'é'.repeat(450)}x,fern\n`,
    /^Line 3\b.*name.*\b900 bytes/,
    ['é'.repeat(450)],
  ],
  [
    'an id that makes the key too long',
    `{"id":"${'i'.repeat(123)}","name":"${'a'.repeat(900)}"}\n{"id":"${'j'.repeat(124)}","name":"${'b'.repeat(900)}"}\n`,
    /^Line 2\b.*\bid\b.*long/,
    ['a'.repeat(900)],
    'plants.ndjson',
  ],
  ['an empty name', 'name,tag\n,fern\nAloe,fern\n', /^Line 2\b.*name/, ['Aloe']],
  ['an id twice', 'id,name\n1,Aloe\n2,Basil\n1,Secret\n', /^Line 4\b.*\bid\b.*line 2\b/, ['Aloe', 'Basil']],
  [
    'a row without an id twice',
    'name,tag\nAloe,fern\nAloe,\nAloe,fern\n',
    /^Line 4\b.*\bid\b.*line 2\b/,
    ['Aloe', 'Aloe'],
  ],
  ['a missing column in a row', 'name,tag\nSecret\nAloe,fern\n', /^Line 2\b.*\b1 column\b.*\b2\b/, ['Aloe']],
  [
    'a column too many in a row',
    'name,tag\nSecret,with,comma\nAloe,fern\n',
    /^Line 2\b.*\b3 columns\b.*\b2\b/,
    ['Aloe'],
  ],
  [
    'bytes that are not UTF-8',
    latin1('name,tag\nAloe,fern\nS\u00e9cret,fern\nBasil,herb\n'),
    /^Line 3\b.*UTF-8/,
    ['Aloe', 'Basil'],
  ],
  [
    'bytes that are not UTF-8 in JSON',
    latin1('[{"name":"Aloe"},\n{"name":"S\u00e9cret"}]'),
    /^Line 2\b.*JSON/,
    ['Aloe'],
    'plants.json',
  ],
  [
    'half a surrogate pair',
    '{"name":"\\ud83c"}\n{"name":"\\ud83c\\udf35"}\n',
    /^Line 1\b.*name.*surrogate/,
    ['🌵'],
    'plants.ndjson',
  ],
  [
    'a broken line in the middle of NDJSON',
    '{"name":"Aloe"}\n{"name":"Secret\n\n{"name":"Basil"}\n',
    /^Line 2\b.*JSON/,
    ['Aloe', 'Basil'],
    'plants.ndjson',
  ],
  [
    'a line of more than a megabyte',
    `{"name":"Aloe"}\n{"name":"Secret","tag":"${'x'.repeat(1_000_001)}"}\n{"name":"Basil"}\n`,
    /^Line 2\b.*\b1,000,000 bytes/,
    ['Aloe', 'Basil'],
    'plants.ndjson',
  ],
  [
    'an element of JSON that does not end',
    `[{"name":"Aloe"},\n[${'{"name":"Secret"},'.repeat(3_000_000)}`,
    /^Line 2\b.*element.*\b1,000,000 bytes/,
    ['Aloe'],
    'plants.json',
  ],
  [
    'millions of fields in an element of JSON',
    `[{"name":"Aloe"},\n{${'"secret":1,'.repeat(5_000_000)}"name":"Secret"}]`,
    /^Line 2\b.*element.*\b1,000,000 bytes/,
    ['Aloe'],
    'plants.json',
  ],
  [
    'JSON that breaks off',
    '[\n{"name":"Aloe"},\n{"name":"Sec',
    /^Line 3\b.*\bends\b/,
    ['Aloe'],
    'plants.json',
  ],
  [
    'an error in the middle of JSON',
    '[\n{"name":"Aloe"},\n{"name" "Secret"},\n{"name":"Basil"}]',
    /^Line 3\b.*JSON/,
    ['Aloe'],
    'plants.json',
  ],
  ['JSON that is an object', '{"plants":[{"name":"Secret"}]}', /^Line 1\b.*array/, [], 'plants.json'],
  [
    'a JSON array in a file for NDJSON',
    '[{"name":"Secret"}]',
    /^Line 1\b.*array.*--format json\b/,
    [],
    'plants.ndjson',
  ],
  [
    'a tag that is not text',
    '[{"name":"Aloe","tag":null},\n\n{"name":"Secret","tag":["fern"]}, 5,\n{"name":"Basil"}]',
    /^Line 3\b.*tag.*text/,
    ['Aloe', 'Basil'],
    'plants.json',
  ],
  [
    'an unknown field',
    '{"name":"Secret","tags":"fern"}\n{"name":"Aloe"}\n',
    /^Line 1\b.*field.*id, name and tag/,
    ['Aloe'],
    'plants.ndjson',
  ],
  ['a compressed file', gzipSync('name\nSecret\n'), /compressed.*gunzip -c/, []],
  ['a spreadsheet', latin1('PK\u0003\u0004\u0014\u0000'), /spreadsheet.*CSV.*UTF-8/, []],
  ['UTF-16', Buffer.from('\u{feff}name\nSecret\n', 'utf16le'), /UTF-16.*UTF-8/, []],
  ['an empty file', '', /\bempty\b/, []],
  [
    'a compressed file by its name',
    gzipSync('name\nSecret\n'),
    /plants\.csv\.gz\b.*compressed.*gunzip -c/,
    [],
    'plants.csv.gz',
  ],
  ['an unknown extension', 'name\nSecret\n', /plants\.txt\b.*--format csv, json or ndjson/, [], 'plants.txt'],
];

let table: TestTable;
beforeAll(async () => {
  table = await testTable();
});
afterAll(() => {
  table.close();
});

const importInto = (principal: string, file: string) =>
  plants(['import', file, '--to', principal, ...table.options]);

describe('plants import, of a file with', () => {
  it.for(damages)('%s', async ([damage, content, says, loaded, file = 'plants.csv']) => {
    const path = join(mkdtempSync(join(table.folder, 'case-')), file);
    writeFileSync(path, content);

    const { code, output, messages } = await importInto(`user:${damage}`, path);

    expect(
      messages.filter((line) => says.test(line)),
      messages.join('\n'),
    ).toHaveLength(1);
    expect(code).toBe(says === allIn ? 0 : 1);
    expect(output).toBe('');
    expect(messages.join('\n')).not.toMatch(/secret|node:internal/i);
    expect(await table.namesOf(`user#${damage}`)).toEqual(loaded);
  });
});

describe('plants import, of a row that is nested', () => {
  const levels = [20_000, 300_000, 490_000];
  const formats = [
    ['ndjson', (rows: readonly string[]) => rows.join('\n')],
    ['json', (rows: readonly string[]) => `[${rows.join(',\n')}]`],
  ] as const;
  it.for(levels.flatMap((depth) => formats.map(([format, joined]) => [depth, format, joined] as const)))(
    '%i levels deep, in %s, loads the others and says that it could not be written',
    async ([depth, format, joined]) => {
      const file = join(table.folder, `${String(depth)}.${format}`);
      const nested = `{"name":"Secret","tag":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      writeFileSync(file, joined(['{"name":"Aloe"}', nested, '{"name":"Basil"}']));
      const principal = `${format} ${String(depth)}`;
      const refused = `${file}.refused`;

      const { code, messages } = await plants([
        ...['import', file, '--to', `user:${principal}`, '--refused', refused],
        ...table.options,
      ]);

      expect(messages).toEqual([
        expect.stringMatching(/^Line 2 .*tag.*text/),
        expect.stringMatching(/^2 rows .*\b1 row refused/),
      ]);
      expect(code).toBe(1);
      expect(await table.namesOf(`user#${principal}`)).toEqual(['Aloe', 'Basil']);
      const [line] = parsed(readFileSync(refused, 'utf8'));
      expect(line).toMatchObject({ line: 2, row: null });
      expect(line).toHaveProperty('note', expect.stringContaining('nested too deeply'));
    },
  );
});

describe('plants import, of', () => {
  it('a directory says so', async () => {
    const path = join(table.folder, 'plants.csv');
    mkdirSync(path);
    const { code, messages } = await importInto('user:alice', path);
    expect(messages).toEqual([expect.stringMatching(/plants\.csv\b.*directory/)]);
    expect(code).toBe(1);
  });

  it('a file that does not exist names it', async () => {
    const path = join(table.folder, 'no.csv');
    const { code, messages } = await importInto('user:alice', path);
    expect(messages).toEqual([expect.stringContaining(path)]);
    expect(code).toBe(1);
  });
});

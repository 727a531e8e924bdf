import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plants, type TestTable, testTable } from '../../support/plants-command.ts';

interface Damage {
  readonly file: string;
  readonly content: string | Buffer;
  /** Matches the one line that says what is wrong. */
  readonly says: RegExp;
  /** Names of the good rows, in the table's order. */
  readonly loaded: readonly string[];
}

const allIn = /^\d+ rows? .*\b0 rows refused/;
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const damages: Readonly<Record<string, Damage>> = {
  'a header without the name column': {
    file: 'plants.csv',
    content: 'id,tag\n1,fern\n',
    says: /^Line 1\b.*columns.*\bname\b/,
    loaded: [],
  },
  'no header': {
    file: 'plants.csv',
    content: 'Secret,fern\nAloe,succulent\n',
    says: /^Line 1\b.*columns.*\bcolumn 1\b/,
    loaded: [],
  },
  'a misspelt column': {
    file: 'plants.csv',
    content: 'name,tags\nSecret,fern\n',
    says: /^Line 1\b.*columns.*\bcolumn 2\b/,
    loaded: [],
  },
  'columns separated by semicolons': {
    file: 'plants.csv',
    content: 'name;tag\nSecret;fern\n',
    says: /^Line 1\b.*columns.*\bcommas\b/,
    loaded: [],
  },
  'a byte order mark': {
    file: 'plants.csv',
    content: '\u{feff}"name","tag"\nAloe,fern\n',
    says: allIn,
    loaded: ['Aloe'],
  },
  'a byte order mark before NDJSON': {
    file: 'plants.jsonl',
    content: '\u{feff}{"name":"Aloe"}\n',
    says: allIn,
    loaded: ['Aloe'],
  },
  'a byte order mark before JSON': {
    file: 'plants.json',
    content: '\u{feff}[{"name":"Aloe"}]',
    says: allIn,
    loaded: ['Aloe'],
  },
  'line ends of Windows': {
    file: 'plants.csv',
    content: 'name,tag\r\nAloe,fern\r\n\r\n"Basil\r\nof two lines",herb\r\n',
    says: allIn,
    loaded: ['Aloe', 'Basil\r\nof two lines'],
  },
  'line ends that are CR alone': {
    file: 'plants.csv',
    content: 'name,tag\rSecret,fern\r',
    says: /^Line 1\b.*\bCR\b.*\bLF\b/,
    loaded: [],
  },
  'quotes, commas and line ends in quoted cells': {
    file: 'plants.csv',
    content: 'name,tag\n"Aloe, ""the big""\none",fern\nBasil,\n',
    says: allIn,
    loaded: ['Aloe, "the big"\none', 'Basil'],
  },
  'a quote that is never closed': {
    file: 'plants.csv',
    content: 'name,tag\nAloe,fern\n"Secret,fern\nBasil,herb\n"Clover, the red",herb\n',
    says: /^Line 3\b.*quote.*closed/,
    loaded: ['Aloe', 'Basil', 'Clover, the red'],
  },
  'a quote in the middle of a cell': {
    file: 'plants.csv',
    content: 'name,tag\nAloe,fern\nSecret "5" inch,fern\nBasil,herb\n',
    says: /^Line 3\b.*quote/,
    loaded: ['Aloe', 'Basil'],
  },
  'names of emoji': {
    file: 'plants.csv',
    content: 'name,tag\n🌵,cactus\n👩‍🌾🪴,\n',
    says: allIn,
    loaded: ['🌵', '👩‍🌾🪴'],
  },
  'U+0000 in a name': {
    file: 'plants.csv',
    content: 'name,tag\nAloe,fern\nSec\u0000ret,fern\n',
    says: /^Line 3\b.*name.*U\+0000/,
    loaded: ['Aloe'],
  },
  'a name of 901 bytes': {
    file: 'plants.csv',
    content: `name,tag\n${'é'.repeat(450)},fern\n${'é'.repeat(450)}x,fern\n`,
    says: /^Line 3\b.*name.*\b900 bytes/,
    loaded: ['é'.repeat(450)],
  },
  'an id that makes the key too long': {
    file: 'plants.ndjson',
    content: `{"id":"${'i'.repeat(123)}","name":"${'a'.repeat(900)}"}\n{"id":"${'j'.repeat(124)}","name":"${'b'.repeat(900)}"}\n`,
    says: /^Line 2\b.*\bid\b.*long/,
    loaded: ['a'.repeat(900)],
  },
  'an empty name': {
    file: 'plants.csv',
    content: 'name,tag\n,fern\nAloe,fern\n',
    says: /^Line 2\b.*name/,
    loaded: ['Aloe'],
  },
  'an id twice': {
    file: 'plants.csv',
    content: 'id,name\n1,Aloe\n2,Basil\n1,Secret\n',
    says: /^Line 4\b.*\bid\b.*line 2\b/,
    loaded: ['Aloe', 'Basil'],
  },
  'a row without an id twice': {
    file: 'plants.csv',
    content: 'name,tag\nAloe,fern\nAloe,\nAloe,fern\n',
    says: /^Line 4\b.*\bid\b.*line 2\b/,
    loaded: ['Aloe', 'Aloe'],
  },
  'a missing column in a row': {
    file: 'plants.csv',
    content: 'name,tag\nSecret\nAloe,fern\n',
    says: /^Line 2\b.*\b1 column\b.*\b2\b/,
    loaded: ['Aloe'],
  },
  'a column too many in a row': {
    file: 'plants.csv',
    content: 'name,tag\nSecret,with,comma\nAloe,fern\n',
    says: /^Line 2\b.*\b3 columns\b.*\b2\b/,
    loaded: ['Aloe'],
  },
  'bytes that are not UTF-8': {
    file: 'plants.csv',
    content: latin1('name,tag\nAloe,fern\nS\u00e9cret,fern\nBasil,herb\n'),
    says: /^Line 3\b.*UTF-8/,
    loaded: ['Aloe', 'Basil'],
  },
  'bytes that are not UTF-8 in JSON': {
    file: 'plants.json',
    content: latin1('[{"name":"Aloe"},\n{"name":"S\u00e9cret"}]'),
    says: /^Line 2\b.*JSON/,
    loaded: ['Aloe'],
  },
  'half a surrogate pair': {
    file: 'plants.ndjson',
    content: '{"name":"\\ud83c"}\n{"name":"\\ud83c\\udf35"}\n',
    says: /^Line 1\b.*name.*surrogate/,
    loaded: ['🌵'],
  },
  'a broken line in the middle of NDJSON': {
    file: 'plants.ndjson',
    content: '{"name":"Aloe"}\n{"name":"Secret\n\n{"name":"Basil"}\n',
    says: /^Line 2\b.*JSON/,
    loaded: ['Aloe', 'Basil'],
  },
  'a line of more than a megabyte': {
    file: 'plants.ndjson',
    content: `{"name":"Aloe"}\n{"name":"Secret","tag":"${'x'.repeat(1_000_001)}"}\n{"name":"Basil"}\n`,
    says: /^Line 2\b.*\b1,000,000 bytes/,
    loaded: ['Aloe', 'Basil'],
  },
  'JSON that breaks off': {
    file: 'plants.json',
    content: '[\n{"name":"Aloe"},\n{"name":"Sec',
    says: /^Line 3\b.*\bends\b/,
    loaded: ['Aloe'],
  },
  'an error in the middle of JSON': {
    file: 'plants.json',
    content: '[\n{"name":"Aloe"},\n{"name" "Secret"},\n{"name":"Basil"}]',
    says: /^Line 3\b.*JSON/,
    loaded: ['Aloe'],
  },
  'JSON that is an object': {
    file: 'plants.json',
    content: '{"plants":[{"name":"Secret"}]}',
    says: /^Line 1\b.*array/,
    loaded: [],
  },
  'a JSON array in a file for NDJSON': {
    file: 'plants.ndjson',
    content: '[{"name":"Secret"}]',
    says: /^Line 1\b.*array.*--format json\b/,
    loaded: [],
  },
  'a tag that is not text': {
    file: 'plants.json',
    content: '[{"name":"Aloe","tag":null},\n\n{"name":"Secret","tag":["fern"]}, 5,\n{"name":"Basil"}]',
    says: /^Line 3\b.*tag.*text/,
    loaded: ['Aloe', 'Basil'],
  },
  'an unknown field': {
    file: 'plants.ndjson',
    content: '{"name":"Secret","tags":"fern"}\n{"name":"Aloe"}\n',
    says: /^Line 1\b.*field.*id, name and tag/,
    loaded: ['Aloe'],
  },
  'a compressed file': {
    file: 'plants.csv',
    content: gzipSync('name\nSecret\n'),
    says: /compressed.*gunzip -c/,
    loaded: [],
  },
  'a spreadsheet': {
    file: 'plants.csv',
    content: latin1('PK\u0003\u0004\u0014\u0000'),
    says: /spreadsheet.*CSV.*UTF-8/,
    loaded: [],
  },
  'UTF-16': {
    file: 'plants.csv',
    content: Buffer.from('\u{feff}name\nSecret\n', 'utf16le'),
    says: /UTF-16.*UTF-8/,
    loaded: [],
  },
  'an empty file': { file: 'plants.csv', content: '', says: /\bempty\b/, loaded: [] },
  'a compressed file by its name': {
    file: 'plants.csv.gz',
    content: gzipSync('name\nSecret\n'),
    says: /plants\.csv\.gz\b.*compressed.*gunzip -c/,
    loaded: [],
  },
  'an unknown extension': {
    file: 'plants.txt',
    content: 'name\nSecret\n',
    says: /plants\.txt\b.*--format csv, json or ndjson/,
    loaded: [],
  },
};

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
  it.for(Object.entries(damages))('%s', async ([damage, { file, content, says, loaded }]) => {
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

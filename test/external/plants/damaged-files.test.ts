import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plants, type TestTable, testTable } from '../../support/plants-command.ts';

interface Damage {
  readonly file: string;
  readonly content: string | Buffer;
  /** The one line that says what is wrong. */
  readonly says: RegExp;
  /** Names of the good rows, in their order. */
  readonly loaded: readonly string[];
}

const allIn = /^(\d+) rows? (is|are) in the table, 0 rows refused\.$/;
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const damages: Readonly<Record<string, Damage>> = {
  'a header without the name column': {
    file: 'plants.csv',
    content: 'id,tag\n1,fern\n',
    says: /^Line 1: the first row must name the columns, .*\(no column is called name\)/,
    loaded: [],
  },
  'no header': {
    file: 'plants.csv',
    content: 'Secret,fern\nAloe,succulent\n',
    says: /^Line 1: the first row must name the columns, .*\(column 1 is unknown/,
    loaded: [],
  },
  'a misspelt column': {
    file: 'plants.csv',
    content: 'name,tags\nSecret,fern\n',
    says: /^Line 1: the first row must name the columns, .*\(column 2 is unknown/,
    loaded: [],
  },
  'columns separated by semicolons': {
    file: 'plants.csv',
    content: 'name;tag\nSecret;fern\n',
    says: /^Line 1: the first row must name the columns, separated by commas/,
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
  'line ends of an old Macintosh': {
    file: 'plants.csv',
    content: 'name,tag\rSecret,fern\r',
    says: /^Line 1: .*neither LF nor CRLF/,
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
    says: /^Line 3 has a quote that is not closed\.$/,
    loaded: ['Aloe', 'Basil', 'Clover, the red'],
  },
  'a quote in the middle of a cell': {
    file: 'plants.csv',
    content: 'name,tag\nAloe,fern\nSecret "5" inch,fern\nBasil,herb\n',
    says: /^Line 3 has a quote or CR in the wrong place\.$/,
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
    says: /^Line 3 has a name with U\+0000\.$/,
    loaded: ['Aloe'],
  },
  'a name of 901 bytes': {
    file: 'plants.csv',
    content: `name,tag\n${'é'.repeat(450)},fern\n${'é'.repeat(450)}x,fern\n`,
    says: /^Line 3 has a name longer than 900 bytes of UTF-8\.$/,
    loaded: ['é'.repeat(450)],
  },
  'an id that makes the key too long': {
    file: 'plants.ndjson',
    content: `{"id":"${'i'.repeat(123)}","name":"${'a'.repeat(900)}"}\n{"id":"${'j'.repeat(124)}","name":"${'b'.repeat(900)}"}\n`,
    says: /^Line 2 has an id that is too long: /,
    loaded: ['a'.repeat(900)],
  },
  'an empty name': {
    file: 'plants.csv',
    content: 'name,tag\n,fern\nAloe,fern\n',
    says: /^Line 2 has no name\.$/,
    loaded: ['Aloe'],
  },
  'an id twice': {
    file: 'plants.csv',
    content: 'id,name\n1,Aloe\n2,Basil\n1,Secret\n',
    says: /^Line 4 has the id of line 2\.$/,
    loaded: ['Aloe', 'Basil'],
  },
  'a row without an id twice': {
    file: 'plants.csv',
    content: 'name,tag\nAloe,fern\nAloe,\nAloe,fern\n',
    says: /^Line 4 has the id of line 2\.$/,
    loaded: ['Aloe', 'Aloe'],
  },
  'a missing column in a row': {
    file: 'plants.csv',
    content: 'name,tag\nSecret\nAloe,fern\n',
    says: /^Line 2 has too few columns\.$/,
    loaded: ['Aloe'],
  },
  'a column too many in a row': {
    file: 'plants.csv',
    content: 'name,tag\nSecret,with,comma\nAloe,fern\n',
    says: /^Line 2 has too many columns\.$/,
    loaded: ['Aloe'],
  },
  'bytes that are not UTF-8': {
    file: 'plants.csv',
    content: latin1('name,tag\nAloe,fern\nS\u00e9cret,fern\nBasil,herb\n'),
    says: /^Line 3 is not UTF-8\.$/,
    loaded: ['Aloe', 'Basil'],
  },
  'bytes that are not UTF-8 in JSON': {
    file: 'plants.json',
    content: latin1('[{"name":"Aloe"},\n{"name":"S\u00e9cret"}]'),
    says: /^Line 2: this is not JSON/,
    loaded: ['Aloe'],
  },
  'half a surrogate pair': {
    file: 'plants.ndjson',
    content: '{"name":"\\ud83c"}\n{"name":"\\ud83c\\udf35"}\n',
    says: /^Line 1 has a name with half a surrogate pair\.$/,
    loaded: ['🌵'],
  },
  'a broken line in the middle of NDJSON': {
    file: 'plants.ndjson',
    content: '{"name":"Aloe"}\n{"name":"Secret\n\n{"name":"Basil"}\n',
    says: /^Line 2 is not JSON\.$/,
    loaded: ['Aloe', 'Basil'],
  },
  'a line of more than a megabyte': {
    file: 'plants.ndjson',
    content: `{"name":"Aloe"}\n{"name":"Secret","tag":"${'x'.repeat(1_000_001)}"}\n{"name":"Basil"}\n`,
    says: /^Line 2 is longer than 1,000,000 bytes\.$/,
    loaded: ['Aloe', 'Basil'],
  },
  'JSON that breaks off': {
    file: 'plants.json',
    content: '[\n{"name":"Aloe"},\n{"name":"Sec',
    says: /^Line 3: the file ends before the array does\./,
    loaded: ['Aloe'],
  },
  'an error in the middle of JSON': {
    file: 'plants.json',
    content: '[\n{"name":"Aloe"},\n{"name" "Secret"},\n{"name":"Basil"}]',
    says: /^Line 3: this is not JSON/,
    loaded: ['Aloe'],
  },
  'JSON that is an object': {
    file: 'plants.json',
    content: '{"plants":[{"name":"Secret"}]}',
    says: /^Line 1: an array of plants must begin here/,
    loaded: [],
  },
  'a JSON array in a file for NDJSON': {
    file: 'plants.ndjson',
    content: '[{"name":"Secret"}]',
    says: /^Line 1: a JSON array begins here\. Read it with --format json\./,
    loaded: [],
  },
  'a tag that is no text': {
    file: 'plants.json',
    content: '[{"name":"Aloe","tag":null},\n\n{"name":"Secret","tag":["fern"]}, 5,\n{"name":"Basil"}]',
    says: /^Line 3 has a tag that is not text\.$/,
    loaded: ['Aloe', 'Basil'],
  },
  'a field that is no plant’s': {
    file: 'plants.ndjson',
    content: '{"name":"Secret","tags":"fern"}\n{"name":"Aloe"}\n',
    says: /^Line 1 has a field other than id, name and tag\.$/,
    loaded: ['Aloe'],
  },
  'a compressed file': {
    file: 'plants.csv',
    content: gzipSync('name\nSecret\n'),
    says: /^The file is compressed\. Pipe it: gunzip -c FILE \| npm run plants -- import - /,
    loaded: [],
  },
  'a spreadsheet': {
    file: 'plants.csv',
    content: latin1('PK\u0003\u0004\u0014\u0000'),
    says: /^The file is a spreadsheet or a zip archive\. Save it as CSV in UTF-8\./,
    loaded: [],
  },
  'UTF-16': {
    file: 'plants.csv',
    content: Buffer.from('\u{feff}name\nSecret\n', 'utf16le'),
    says: /^The file is in UTF-16\. Save it in UTF-8\./,
    loaded: [],
  },
  'an empty file': { file: 'plants.csv', content: '', says: /^The file is empty\./, loaded: [] },
  'a compressed file by its name': {
    file: 'plants.csv.gz',
    content: gzipSync('name\nSecret\n'),
    says: /^\S+plants\.csv\.gz is compressed\. Unpack it, or pipe it: gunzip -c FILE \|/,
    loaded: [],
  },
  'an unknown extension': {
    file: 'plants.txt',
    content: 'name\nSecret\n',
    says: /plants\.txt is unknown\. Pass --format csv, json or ndjson\.$/,
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

    expect(messages.filter((line) => says.test(line))).toHaveLength(1);
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
    expect(messages).toEqual([`${path} is a directory. Name a file in it.`]);
    expect(code).toBe(1);
  });

  it('a file that is not there says so', async () => {
    const path = join(table.folder, 'no.csv');
    const { code, messages } = await importInto('user:alice', path);
    expect(messages).toEqual([`There is no file ${path}.`]);
    expect(code).toBe(1);
  });
});

import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readImportFile } from '../../cli/import-file.ts';
import { type PlantFields, rowFieldsOf } from '../../cli/plant-row.ts';
import { text } from '../../table/field-kinds.ts';
import { fields as declaredFields } from '../../table/fields.ts';
import { UserError } from '../../terminal/user-error.ts';
import { samplePlant } from '../support/table/plants.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** These tests are about files, so they have their own fields, whatever fields the plants have. */
const ownFields = {
  name: text({ required: true, notEmpty: true, maxBytes: 900, without: '\u0000' }),
  tag: text({ maxBytes: 900 }),
};

const read = async (content: string | Buffer, name: string, fields: PlantFields = ownFields) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  const { plants, problems } = await readImportFile(path, undefined, 'user:alice', fields);
  return { plants: [...plants.values()], problems };
};

/** @template Expected the names of the plants, or a part of the message */
type Case<Expected> = readonly [
  what: string,
  content: string | Buffer,
  expected: Expected,
  fileName?: 'plants' | `plants.${string}`,
];

/** 900 bytes of UTF-8. */
const long = 'é'.repeat(450);
const fieldNames = `fields are ${[...rowFieldsOf(ownFields).keys()].join(', ')}`;

describe('import', () => {
  it.for<Case<readonly string[]>>([
    ['a byte order mark', '\u{feff}"name","tag"\nAloe,fern\n', ['Aloe']],
    ['a byte order mark before JSON', '\u{feff}[{"name":"Aloe"}]', ['Aloe'], 'plants.json'],
    [
      'a byte order mark at the beginning of each of two joined NDJSON files',
      '\u{feff}{"name":"Aloe"}\n\u{feff}{"name":"Basil"}\n',
      ['Aloe', 'Basil'],
      'plants.ndjson',
    ],
    ['Windows line ends', 'name\r\nAloe\r\n\r\n"B\r\nC"\r\n', ['Aloe', 'B\r\nC']],
    ['quotes and commas', 'name,tag\n"Aloe, ""big""",fern\nBasil,\n', ['Aloe, "big"', 'Basil']],
    [
      'white space and quotes in quotes',
      'name\n" ""Red"" rose"\n"""Fern"""\n""""\n',
      ['"Red" rose', '"Fern"', '"'],
    ],
    ['line breaks in quotes', 'name\n"A\r\nB"\n"C\n\nD"\n', ['A\r\nB', 'C\n\nD']],
    ['CR alone as line end', 'name,tag\rAloe,fern\r\r"B\nC",\r', ['Aloe', 'B\nC']],
    ['CR before each line end', 'name,tag\r\r\nRose,x\r\r\n', ['Rose']],
    ['emoji, and separators of Unicode', 'name\n👩‍🌾🪴\nA\u00a0B\u2028C\n', ['👩‍🌾🪴', 'A\u00a0B\u2028C']],
    ['white space around line breaks in quotes', 'name\n" \r\nA\t"\n', ['A']],
    ['a quoted cell that ends the file', 'name,tag\nAloe,"fern"', ['Aloe']],
    ['white space around cells and columns', ' Tag\t, NAME \n fern ,\tAloe 1 \n," B" \n', ['Aloe 1', 'B']],
    ['white space after a quote at its end', 'name\n"Aloe"\t\n"B" ', ['Aloe', 'B']],
    ['rows without text', '\n ,\nname,tag\n\u{feff}\n \t\u00a0\nAloe,\n,\n" ",\n \r\n', ['Aloe']],
    ['a name of 900 bytes', `name\n${long}\n`, [long]],
    ['only column names', 'name,tag\n', []],
    ['empty lines in NDJSON', ' \n{"name":"Aloe"}\r\n\n', ['Aloe'], 'plants.NDJSON'],
    ['a field that is null', '[{"id":null,"name":"Aloe","tag":null}]', ['Aloe'], 'plants.json'],
    ['only white space', ' \n', []],
    ['a plant’s owner, as list prints it', '{"who":"user:alice","name":"Aloe"}', ['Aloe'], 'plants.ndjson'],
  ])('reads a file with %s', async ([, content, names, name = 'plants.csv']) => {
    const { plants, problems } = await read(content, name);
    expect([problems, plants.map((plant) => plant.name)]).toEqual([[], names]);
  });

  it('reads a file with a column for each field, in capitals unless another name has the same', async () => {
    const plant = samplePlant();
    const [names, cells] = [Object.keys(plant), Object.values(plant)];
    const capitals = names.map((name) => name.toUpperCase());
    const columns = capitals.map((column, index) =>
      capitals.filter((other) => other === column).length === 1 ? column : names[index],
    );
    const content = `${columns.join()}\n${cells.join()}`;
    const { plants, problems } = await read(content, 'a.csv', declaredFields);
    expect([problems, plants]).toEqual([[], [plant]]);
  });

  it('reads no value from an empty cell, or from a JSON field that is null', async () => {
    const withoutTag = [{ id: 'a', name: 'Aloe' }];
    expect((await read('id,name,tag\na,Aloe,\n', 'a.csv')).plants).toEqual(withoutTag);
    expect((await read('id,name,tag,who\na,Aloe," ",\n', 'a.csv')).plants).toEqual(withoutTag);
    expect((await read('{"id":"a","name":"Aloe","tag":null}', 'a.ndjson')).plants).toEqual(withoutTag);
  });

  it.each([
    ['a lone CR', 'B\rC'],
    ['a byte order mark', '\ufeffB'],
    ['blanks alone', ' \t\u00a0'],
    ['a byte order mark alone', '\ufeff'],
    ['white space at its ends', '\n B\v'],
    ['control characters', '\u0001\u001a\u001b\u007f\u0085\u009b'],
    ['quotes and commas', '"",B'],
    ['a noncharacter', '\uffff'],
  ])('keeps a name, tag and id in JSON unchanged if they have %s', async (_, text) => {
    const plant = { id: text, name: text, tag: text };
    const line = JSON.stringify({ who: 'user:alice', ...plant });
    expect(await read(`${line}\r\n`, 'a.ndjson')).toMatchObject({ plants: [plant], problems: [] });
    expect(await read(`[${line}]`, 'a.json')).toMatchObject({ plants: [plant], problems: [] });
  });

  it.each([
    ['an empty tag', { id: 'a', name: 'Aloe', tag: '' }],
    ['U+0000 in a tag or an id', { id: '\0a\0', name: 'Aloe', tag: '\0' }],
  ])('keeps %s in JSON unchanged', async (_, plant) => {
    expect(await read(JSON.stringify(plant), 'a.ndjson')).toEqual({ plants: [plant], problems: [] });
  });

  it('derives a missing id from the name alone', async () => {
    const [aloe, basil] = (await read('name,tag\nAloe,fern\nBasil,\n', 'a.csv')).plants;
    const [other] = (await read('[{"name":"Aloe","tag":"other"}]', 'a.json')).plants;
    expect(aloe?.id).toMatch(/^[0-9a-f]{32}$/);
    expect([other?.id === aloe?.id, basil?.id === aloe?.id]).toEqual([true, false]);
  });
});

// The name is reported if it contains a byte order mark, or if the trimmed name is empty, is the name of the
// other plant, or has a control character other than a line end.
it('import trims a quoted name, and reports an empty, repeated or forbidden one', async () => {
  const parts = fc.constantFrom(
    ' ',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    ',',
    'é',
    '\u009b',
    '\ufeff',
    '\u00a0',
    '🌵',
  );
  const names = fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(names, async (characters) => {
      const name = characters.join('');
      const content = `tag,name\nx,"${name.replaceAll('"', '""')}"\n"y",Aloe\n`;
      const { plants, problems } = await read(content, 'a.csv');
      const text = name.trim();
      const isBad = name.includes('\ufeff') || /\p{Cc}/u.test(text.replaceAll(/\r?\n/g, ''));
      const isRead = text !== '' && !isBad && text !== 'Aloe';
      expect(plants.map((plant) => plant.name)).toEqual(isRead ? [text, 'Aloe'] : ['Aloe']);
      expect(problems).toHaveLength(isRead ? 0 : 1);
    }),
  );
});

describe('import reports a bad row with its line and the reason', () => {
  it.for<[what: string, content: string, message: string]>([
    ['no name', 'id,name\n1,\n2,Aloe\n', 'line 2: name is missing'],
    ['a name of 901 bytes', `name\nAloe\n${long}x\n`, 'line 3: name has more than 900 bytes'],
    ['a tag of 901 bytes', `name,tag\nAloe,\nB,${long}x\n`, 'line 3: tag has more than 900 bytes'],
    ['white space for a name', 'name,tag\nAloe,\n"  ",x\n', 'line 3: name is missing'],
    ['no name, in lines that end with CR alone', 'name,tag\r\rAloe,\r,x\r', 'line 4: name is missing'],
    [
      'an id twice',
      'id,name\n1,Aloe\n"1","B\nC"\n',
      'line 3: an earlier row has this id, or this name and no id',
    ],
    [
      'a name twice without ids',
      'name,tag\nAloe,a\nAloe,b\n',
      'line 3: an earlier row has this id, or this name and no id',
    ],
    ['too few columns', 'name,tag\r\n\r\n"Aloe","x\r\ny"\r\n"C\r\nD"\r\n', 'line 5: 1 column instead of 2'],
    ['too many columns', 'name,tag\nB,with,comma\nAloe,\n', 'line 2: 3 columns instead of 2'],
    [
      'the columns of a second file',
      '\u{feff}name,tag\nAloe,\n\u{feff}Name,tag\n',
      'line 3: the column names again',
    ],
    ['a byte order mark in quotes', 'name\nAloe\n"B\u{feff}x"\n', 'line 3: name has U+FEFF'],
    ['a byte order mark at the end of a cell', 'name,tag\nAloe,\nB,x\ufeff\n', 'line 3: tag has U+FEFF'],
    ['a byte order mark for a tag', 'name,tag\nAloe,\nB,\ufeff\n', 'line 3: tag has U+FEFF'],
    [
      'a byte order mark before the first row of a second file',
      'name\nAloe\n\ufeffB\n',
      'line 3: name has U+FEFF',
    ],
    ['CR in a cell', 'name\nAloe\nC\rD\n', 'line 3: name has U+000D'],
    ['CR in a quoted cell', 'name\nAloe\n"B\r\nC\rD"\n', 'line 3: name has U+000D'],
    ['LF in a cell of lines that end with CR', 'name\rAloe\rB\nC\r', 'line 3: name has U+000A'],
    ['the end of file of DOS', 'name\r\nAloe\r\n\x1a', 'line 3: name has U+001A'],
    ['the end of file of DOS instead of two cells', 'name,tag\nAloe,\n\x1a', 'line 3: name has U+001A'],
    ['the end of file of DOS behind a tag', 'name,tag\nAloe,\nB,x\x1a', 'line 3: tag has U+001A'],
    ['the end of file of DOS behind a quote', 'name\nAloe\n"B"\x1a', 'line 3: a quote in the wrong place'],
    ['an escape', 'name\nAloe\n\x1b[31mB\n', 'line 3: name has U+001B'],
    ['a bell in quotes', 'name\nAloe\n"B\x07"\n', 'line 3: name has U+0007'],
    ['a C1 control character', 'name\nAloe\nB\u009b\n', 'line 3: name has U+009B'],
    ['U+0085', 'name\nAloe\nB\u0085C\n', 'line 3: name has U+0085'],
    ['U+007F', 'name\nAloe\n"B\x7f"\n', 'line 3: name has U+007F'],
    ['U+0000', 'name\nAloe\nB\0\n', 'line 3: name has U+0000'],
    ['a tab between words', 'name\nAloe\nB\tC\n', 'line 3: name has U+0009'],
    ['a control character in a cell too many', 'name\nAloe\nB,\x1b\n', 'line 3: a cell has U+001B'],
    ['a quote inside a cell', 'name\nB 5" high\nAloe\n', 'line 2: a quote in the wrong place'],
    ['quotes around a part of a cell', 'name\nAloe\nRose "Peace"\n', 'line 3: a quote in the wrong place'],
    ['a quote alone', 'name\nAloe\n"', 'line 3: a quote in the wrong place'],
    [
      'a quote that is not closed before white space',
      'name\nAloe\n" \n\t\r\n',
      'line 3: a quote in the wrong place, in a row that ends in line',
    ],
    [
      'text after a quote, in a row of two lines',
      'name\n"B\nC" x\nAloe\n',
      'line 2: a quote in the wrong place, in a row that ends in line 3',
    ],
    [
      'text after a quote',
      'name\n"B" x "C"\nAloe\n',
      'line 2: a quote in the wrong place, in a row that ends in line 2',
    ],
    ['white space before a quote', 'name\n "B"\nAloe\n', 'line 2: a quote in the wrong place'],
    [
      'a quote that is not closed',
      'name\nAloe\n"B\nC\n',
      'line 3: a quote in the wrong place, in a row that ends in line 4',
    ],
  ])('in CSV: %s', async ([, content, message]) => {
    const { problems, plants } = await read(content, 'a.csv');
    expect(problems).toEqual([expect.stringContaining(message)]);
    expect(plants.map(({ name }) => name)).toEqual(['Aloe']);
  });

  it.for<[what: string, row: string, message: string]>([
    ['an empty name', '{"name":""}', 'name is missing'],
    ['null for a name', '{"name":null}', 'name is missing'],
    ['U+0000 in a name', '{"name":"B\\u0000"}', 'name has U+0000'],
    ['a lone surrogate in a name', '{"name":"\\ud83c"}', 'name has a lone surrogate'],
    ['a lone surrogate in a tag', '{"name":"B","tag":"\\udf35\\ud83c"}', 'tag has a lone surrogate'],
    ['a lone surrogate in an id', '{"id":"\\ud800","name":"B"}', 'id has a lone surrogate'],
    ['a name of 901 bytes', `{"name":"${long}x"}`, 'name has more than 900 bytes of UTF-8'],
    ['a tag of 901 bytes', `{"name":"B","tag":"${long}x"}`, 'tag has more than 900 bytes of UTF-8'],
    ['a number for a name', '{"name":1}', 'name is not text'],
    ['no object', '"B"', 'the row is not an object'],
    ['null', 'null', 'the row is not an object'],
    ['an array', '[]', 'the row is not an object'],
    ['an unknown field', '{"name":"B","colour":"red"}', `unknown field "colour"; ${fieldNames}`],
    [
      'two unknown fields',
      '{"name":"B","a":"","b":""}',
      `unknown field "a"; unknown field "b"; ${fieldNames}`,
    ],
    ['a field named __proto__', '{"name":"B","__proto__":"x"}', `unknown field "__proto__"; ${fieldNames}`],
    ['a plant of someone else', '{"who":"user:bob","name":"B"}', 'who is not user:alice'],
    ['two problems', '{"tag":5}', 'name is missing; tag is not text'],
    ['a damaged item', '{"damaged":{}}', `name is missing; unknown field "damaged"; ${fieldNames}`],
  ])('in JSON: %s', async ([, row, message]) => {
    const aloe = '{"name":"Aloe"}';
    expect(await read(`${aloe}\r\n\r\n${row}\n`, 'a.ndjson')).toMatchObject({
      problems: [`line 3: ${message}`],
    });
    const { problems, plants } = await read(`[${aloe},${row}]`, 'a.json');
    expect(problems).toEqual([`element 2: ${message}`]);
    expect(plants.map(({ name }) => name)).toEqual(['Aloe']);
  });

  it('in NDJSON: broken JSON', async () => {
    const { problems } = await read('{"name":"Aloe"}\r\n\r\n{"name":"é"\r\n', 'a.ndjson');
    expect(problems).toEqual([expect.stringMatching(/^line 3: SyntaxError: .*column 12\)$/)]);
  });
});

describe('import refuses a file, and says what is wrong, when it', () => {
  it.for<Case<string>>([
    ['is in Latin-1', Buffer.from('name\nS\u00e9cret\n', 'latin1'), 'plants.csv must be a UTF-8 file'],
    [
      'lacks the column name',
      '\nid,tag\n1,fern\n',
      'Line 2: the column "name" is missing. Columns are name, id, tag, ',
    ],
    ['has a column twice', 'name,tag, Name\nB,fern,B\n', 'Line 1: two columns "Name".'],
    ['has a comma after its columns', 'name,tag,\nB,fern,\n', 'Line 1: column 3 has no name.'],
    [
      'has a quote in the wrong place in its first row',
      'name,"tag" x\nB,red\n',
      'Line 1: a quote in the wrong place.',
    ],
    ['has a quote that is not closed in its first row', '"name\nB\n', 'Line 1: a quote in the wrong place.'],
    ['has an unknown column', 'name,colour\nB,red\n', 'Line 1: unknown column "colour". Columns are name, '],
    ['has a long line without column names', 'x'.repeat(1e6), `Line 1: unknown column "${'x'.repeat(40)}".`],
    ['is in UTF-16', Buffer.from('name\nAloe', 'utf16le'), 'Line 1: unknown column "n\0a\0m\0e'],
    ['has semicolons between its cells', 'name;tag\nB;fern\n', ', separated by commas.'],
    ['is broken JSON', '[{"name":"Aloe"},\n{"name":"B"', '(line 2 column 12). Correct', 'plants.json'],
    ['is CSV, but named .json', 'name,tag\nAloe,fern\n', 'not valid JSON. Correct the file', 'plants.json'],
    ['is JSON of another shape', '{"name":"Aloe"}', 'The JSON is not an array. Correct', 'plants.json'],
    ['is NDJSON, but named .json', '{"name":"A"}\n{"name":"B"}', '--format ndjson', 'plants.json'],
    [
      'has an unknown extension',
      'name\nAloe\n',
      'plants.txt is unknown. Pass --format csv, json or ndjson.',
      'plants.txt',
    ],
    ['has no extension', 'name\nAloe\n', 'The extension of ', 'plants'],
  ])('%s', async ([, content, message, name = 'plants.csv']) => {
    const refused = read(content, name);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(message);
  });

  it('is standard input without a format', async () => {
    await expect(readImportFile('-', undefined, 'user:alice', ownFields)).rejects.toThrow(
      'Standard input has no extension. Pass --format csv, json or ndjson.',
    );
  });

  it.each([
    ['does not exist', 'none.csv', 'ENOENT: no such file or directory, open '],
    ['is a folder', '.', ' must be a UTF-8 file'],
    ['has more than 2 GiB', 'large.csv', 'large.csv must be a UTF-8 file of up to 500 MB'],
  ])('%s', async (_, name, message) => {
    writeFileSync(join(folder, 'large.csv'), '');
    truncateSync(join(folder, 'large.csv'), 3e9);
    await expect(readImportFile(join(folder, name), 'csv', 'user:alice', ownFields)).rejects.toThrow(message);
  });
});

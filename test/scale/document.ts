import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** A table of a document, which its first columns identify. A cell that is undefined stays as the document has it. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/** What a document says as calculated. A sentence's numbers are calculated; its words are those of the document. */
export interface Figures {
  readonly tables: readonly Table[];
  readonly sentences: readonly string[];
}

/** As a reader expects a number: with commas, and no more than three digits that count unless it is large. */
export const number = (value: number, places?: number): string =>
  value.toLocaleString(
    'en-US',
    places !== undefined
      ? { minimumFractionDigits: places, maximumFractionDigits: places }
      : value < 1000
        ? { maximumSignificantDigits: 3 }
        : { maximumFractionDigits: 0 },
  );

export const usd = (value: number, places = 0): string => `$${number(value, places)}`;

const escaped = (text: string): string => RegExp.escape(text);

const fillTable = (text: string, { columns, rows }: Table): string => {
  const header = columns.map((column) => `\\| ${escaped(column)} +`).join('');
  const table = new RegExp(`^(${header}\\|.*\\n\\| -.*\\n)((?:\\|.*\\n)*)`, 'gm');
  return fillOnce(text, table, columns.join(' | '), (_, head = '', body = '') => {
    const written = body.split('\n').map((line) => line.split('|').slice(1, -1));
    const lines = rows.map((cells, row) => cells.map((cell, column) => cell ?? written[row]?.[column] ?? ''));
    return [head, ...lines.map((cells) => `| ${cells.join(' | ')} |\n`)].join('');
  });
};

const fillSentence = (text: string, sentence: string): string => {
  const digits = /(\d+(?:,\d{3})*(?:\.\d+)?)/;
  const parts = sentence.split(digits);
  const pattern = parts
    .map((part, index) =>
      index % 2 === 1 ? digits.source.replace('(', '(?:') : `(${part.split(' ').map(escaped).join('\\s+')})`,
    )
    .join('');
  return fillOnce(text, new RegExp(pattern, 'g'), sentence, (_, ...words) =>
    parts.map((part, index) => (index % 2 === 1 ? part : (words[index / 2] ?? ''))).join(''),
  );
};

const fillOnce = (
  text: string,
  pattern: RegExp,
  what: string,
  replacement: (...match: readonly string[]) => string,
): string => {
  const found = [...text.matchAll(pattern)].length;
  if (found !== 1) throw new Error(`The document has ${String(found)} places for: ${what}`);
  return text.replace(pattern, replacement);
};

/**
 * Replaces the numbers of a document, aligned as Prettier does.
 * @throws {Error} if a table or a sentence is not there, or more than once
 */
export const withFigures = async (text: string, { tables, sentences }: Figures): Promise<string> => {
  const filled = sentences.reduce(fillSentence, tables.reduce(fillTable, text));
  const filepath = fileURLToPath(new URL('../../docs/scale.md', import.meta.url));
  return format(filled, { ...(await resolveConfig(filepath)), filepath });
};

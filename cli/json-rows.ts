import { UserError } from '../terminal/user-error.ts';
import type { RowContent, SplitFile } from './file-row.ts';

/** JSON: an array with an object for each row. */
export const jsonRows: SplitFile = function* (text) {
  const { values: array, problem = 'The JSON is not an array' } = parseJson(text);
  if (!Array.isArray(array))
    throw new UserError(`${problem}. Correct the file, or pass --format ndjson for an object on each line.`);
  for (const [index, values] of array.entries()) yield { place: `element ${String(index + 1)}`, values };
};

/** NDJSON: an object on each line. Lines of white space are skipped. */
export const ndjsonRows: SplitFile = function* (text) {
  for (const [index, line] of text.split('\n').entries()) {
    // If files were joined, each part can begin with a byte order mark, which `trim` removes too.
    const json = line.trim();
    if (json !== '') yield { place: `line ${String(index + 1)}`, ...parseJson(json) };
  }
};

const parseJson = (text: string): RowContent => {
  try {
    return { values: JSON.parse(text) };
  } catch (error) {
    return { problem: String(error) };
  }
};

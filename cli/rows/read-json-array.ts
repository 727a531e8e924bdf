import { isUtf8 } from 'node:buffer';
import { FileError } from './file-error.ts';
import { maxRowBytes, type Row } from './row.ts';

/**
 * Reads the elements of a JSON array, one by one.
 * @throws {FileError} at the first place that is not a JSON array; the elements before it are valid
 */
export async function* readJsonArray(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const array = arrayReader();
  for await (const chunk of chunks) yield* array.read(chunk);
  array.end();
}

/** Finds where each element ends, so that an element is bounded by its bytes whatever is in it. */
const arrayReader = () => {
  let place: 'before' | 'in' | 'after' = 'before';
  let line = 1;
  let elements = 0;
  /** Where the element before the current one begins, or the array. */
  let lineBefore = 1;
  /** Where the current element begins. */
  let begin: number | undefined;
  /** The current element as far as it was read. */
  let parts: Buffer[] = [];
  let bytes = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  const error = (problem: string): FileError => new FileError(`Line ${String(begin ?? line)}: ${problem}.`);

  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > maxRowBytes)
      throw error(`an element is longer than ${maxRowBytes.toLocaleString('en')} bytes`);
    parts.push(part);
  };

  const take = (): Row => {
    const values = parseElement(Buffer.concat(parts));
    if (begin === undefined || values === undefined) throw error(notJson);
    elements += 1;
    const row = { line: begin, ...(begin === lineBefore && { element: elements }), values };
    lineBefore = begin;
    begin = undefined;
    parts = [];
    bytes = 0;
    return row;
  };

  function* read(chunk: Buffer): Generator<Row> {
    // A character for each byte; what separates elements is ASCII.
    const text = chunk.toString('latin1');
    let start = 0;
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      if (character === '\n') {
        if (isInString) throw error(notJson);
        line += 1;
      } else if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else isInString = character !== '"';
      } else if (character === ' ' || character === '\t' || character === '\r') continue;
      else if (place === 'before') {
        if (character !== '[')
          throw error(
            'an array of plants must begin here; pass --format ndjson if each line holds one object',
          );
        place = 'in';
        lineBefore = line;
      } else if (place === 'after') throw error('something follows the end of the array');
      else if (depth === 0 && (character === ',' || character === ']')) {
        if (begin !== undefined) keep(chunk.subarray(start, index));
        if (character === ']') place = 'after';
        if (begin !== undefined || elements > 0 || character === ',') yield take();
      } else {
        if (begin === undefined) {
          begin = line;
          start = index;
        }
        if (character === '"') isInString = true;
        else if (character === '[' || character === '{') depth += 1;
        else if (character === ']' || character === '}') depth -= 1;
        if (depth < 0) throw error(notJson);
      }
    }
    // A copy, so that the chunk can be freed.
    if (begin !== undefined) keep(Buffer.from(chunk.subarray(start)));
  }

  const end = (): void => {
    if (place === 'after') return;
    begin = undefined;
    throw error('the file ends before the array does. All complete plants before this place were read');
  };
  return { read, end };
};

const notJson = 'this is not JSON in UTF-8';

/** @returns undefined when the bytes are not JSON */
const parseElement = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // The parser's message quotes the text.
    return undefined;
  }
};

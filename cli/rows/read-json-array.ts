import { JSONParser, TokenType } from '@streamparser/json';
import { FileError } from './file-error.ts';
import { maxRowBytes, type Row } from './row.ts';

const newline = 0x0a;

/**
 * Reads the elements of a JSON array, one by one.
 * @throws {FileError} at the first place that is not a JSON array; the elements before it are valid
 */
export async function* readJsonArray(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  const lines = lineCounter();
  let rows: Row[] = [];
  let problem: string | undefined;
  let begun = false;
  const array = { ended: false };
  /** Where the current element begins. */
  let line: number | undefined;
  let element = 0;
  /** Where the element before it begins, or the array. */
  let lineBefore = 1;
  let lastEnd = 0;

  parser.onToken = ({ token, offset }) => {
    if (!begun) {
      begun = true;
      if (token !== TokenType.LEFT_BRACKET)
        problem ??= 'an array of plants must begin here; pass --format ndjson if each line holds one object';
    } else if (line === undefined && token !== TokenType.COMMA) line = lines.at(offset);
    lastEnd = offset;
  };
  parser.onValue = ({ value }) => {
    element += 1;
    rows.push({ line: line ?? 0, ...(line === lineBefore && { element }), values: value });
    lineBefore = line ?? 0;
    line = undefined;
  };
  parser.onEnd = () => {
    array.ended = true;
  };
  parser.onError = () => {
    // The parser's message quotes the text.
    problem ??= array.ended ? 'something follows the end of the array' : 'this is not JSON';
  };

  for await (const chunk of chunks) {
    lines.add(chunk);
    parser.write(chunk);
    if (problem === undefined && lines.bytes() - lastEnd > maxRowBytes)
      problem = `a value is longer than ${maxRowBytes.toLocaleString('en')} bytes`;
    yield* rows;
    rows = [];
    if (problem !== undefined) throw new FileError(`Line ${String(line ?? lines.at(lastEnd))}: ${problem}.`);
  }
  if (!array.ended)
    throw new FileError(
      `Line ${String(lines.at(lines.bytes()))}: the file ends before the array does. All complete plants before this place were read.`,
    );
}

/** Converts byte offsets, which must only grow, to line numbers; it keeps one chunk. */
const lineCounter = () => {
  let chunk: Buffer = Buffer.alloc(0);
  let chunkStart = 0;
  let counted = 0;
  let line = 1;
  const at = (offset: number): number => {
    for (
      let end = chunk.indexOf(newline, counted - chunkStart);
      end !== -1 && chunkStart + end < offset;
      end = chunk.indexOf(newline, counted - chunkStart)
    ) {
      line += 1;
      counted = chunkStart + end + 1;
    }
    return line;
  };
  return {
    add: (next: Buffer): void => {
      at(Infinity);
      chunkStart += chunk.length;
      counted = chunkStart;
      chunk = next;
    },
    at,
    bytes: (): number => chunkStart + chunk.length,
  };
};

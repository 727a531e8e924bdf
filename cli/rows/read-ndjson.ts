import { UserError } from '../../terminal/user-error.ts';
import type { Row } from './row.ts';
import { textLines } from './text-lines.ts';

/**
 * Reads one JSON object from each line; empty lines are skipped.
 * @throws {UserError} if the file is a JSON array
 */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let isFirst = true;
  for await (const { line, text, problem } of textLines(chunks)) {
    if (text.trim() === '') continue;
    if (isFirst && text.trimStart().startsWith('['))
      throw new UserError(`Line ${String(line)}: a JSON array begins here. Read it with --format json.`);
    isFirst = false;
    yield problem === undefined ? parseLine(line, text) : { line, values: text, problem };
  }
}

const parseLine = (line: number, text: string): Row => {
  try {
    return { line, values: JSON.parse(text) };
  } catch {
    // The parser's message quotes the text.
    return { line, values: text, problem: 'is not JSON' };
  }
};

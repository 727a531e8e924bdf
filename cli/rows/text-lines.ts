import { isUtf8 } from 'node:buffer';
import { maxRowBytes } from './row.ts';

/** A line without its newline. */
export interface TextLine {
  readonly line: number;
  /** Cut off at the length of the longest row. */
  readonly text: string;
  readonly problem?: string;
}

const newline = 0x0a;

/** Splits bytes into lines; a line that cannot be read has a problem. */
export async function* textLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<TextLine> {
  let line = 1;
  /** The current line as far as it was read. */
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer): void => {
    if (bytes <= maxRowBytes) parts.push(part);
    bytes += part.length;
  };
  const take = (): TextLine => {
    const taken = textLine(line, Buffer.concat(parts), bytes);
    line += 1;
    parts = [];
    bytes = 0;
    return taken;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    // A copy, so that the chunk can be freed.
    if (start < chunk.length) keep(Buffer.from(chunk.subarray(start)));
  }
  if (bytes > 0) yield take();
}

const textLine = (line: number, kept: Buffer, bytes: number): TextLine => {
  if (bytes > maxRowBytes) {
    const text = kept.toString('utf8', 0, maxRowBytes);
    return { line, text, problem: `is longer than ${maxRowBytes.toLocaleString('en')} bytes` };
  }
  const text = kept.toString();
  return isUtf8(kept) ? { line, text } : { line, text, problem: 'is not UTF-8' };
};

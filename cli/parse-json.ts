/** Parses JSON. Throws the result of `toError` for the first invalid token; line and column start at 1. */
export const parseJson = (text: string, toError: (line: string, column: string) => Error): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = / at position (\d+) \(line \d+ column \d+\)$/.exec(String(error)) ?? [];
    let end = Number(position ?? 0);
    while (position === undefined && token.test(text)) end = token.lastIndex;
    const lines = text.slice(0, end).split(/\r\n?|\n/);
    throw toError(String(lines.length), String((lines.at(-1)?.length ?? 0) + 1));
  }
};

const space = String.raw`[ \t\r\n]`;
const string = String.raw`"[^"\\]*(?:\\["\\/bfnrtu][^"\\]*)*["\\]?`;
const value = String.raw`${string}|-?\d[-+.\dEe]*|true|false|null|\[${space}*]|{${space}*}`;
/** V8 reports no position of a missing or unknown value: it is then the end of the last token matched. */
const token = new RegExp(String.raw`${space}+|(?:${value})(?:${space}*[\]}])*(?:${space}*[,:])?|[[{]`, 'y');

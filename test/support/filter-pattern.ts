import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** What a selector such as `$.message.count` finds in a log line. */
export const select = (line: unknown, selector: string): unknown =>
  selector
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => object.safeParse(value).data?.[name], line);

/**
 * Reads a JSON filter pattern of CloudWatch Logs, as far as this project writes them: conditions on text and number,
 * joined by `&&` (AWS: "Filter pattern syntax for metric filters").
 * @returns whether a log line matches
 * @throws {Error} on anything else
 */
export const filterPattern = (pattern: string): ((line: unknown) => boolean) => {
  const [, all = ''] = /^\{ (.+) \}$/.exec(pattern) ?? [];
  const parts = all.split(' && ');
  const conditions = parts.map((part) => {
    const text = parts.length === 1 ? part : (/^\((.+)\)$/.exec(part)?.[1] ?? '');
    const [, selector = '', operator, operand = ''] =
      /^(\$(?:\.[A-Za-z]+)+) (=|>=) ("[a-z-]+"|\d+)$/.exec(text) ?? [];
    const expected = z
      .union([z.string(), z.number()])
      .safeParse(operand === '' ? undefined : JSON.parse(operand)).data;
    if (operator === '=' && typeof expected === 'string')
      return (line: unknown) => select(line, selector) === expected;
    if (operator === '>=' && typeof expected === 'number')
      return (line: unknown) => {
        const value = select(line, selector);
        return typeof value === 'number' && value >= expected;
      };
    throw new Error(`The filter pattern ${pattern} has a part that is not understood here: ${part}`);
  });
  return (line) => conditions.every((matches) => matches(line));
};

import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** The value of a selector such as `$.message.count` in a log line. */
export const select = (line: unknown, selector: string): unknown =>
  selector
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => object.safeParse(value).data?.[name], line);

type Condition = (line: unknown) => boolean;

const condition = (text: string): Condition => {
  const [, selector = '', operator, operand = 'null'] =
    /^(\$(?:\.[A-Za-z]+)+) (=|>=) ("[\w-]+"|\d+|%[^%()]+%)$/.exec(text) ?? [];
  if (operator === '=' && operand.startsWith('%')) {
    const regularExpression = new RegExp(operand.slice(1, -1));
    return (line) => {
      const value = select(line, selector);
      return typeof value === 'string' && regularExpression.test(value);
    };
  }
  const expected: unknown = JSON.parse(operand);
  if (operator === '=' && typeof expected === 'string') return (line) => select(line, selector) === expected;
  if (operator === '>=' && typeof expected === 'number')
    return (line) => {
      const value = select(line, selector);
      return typeof value === 'number' && value >= expected;
    };
  throw new Error(`This part of a filter pattern is not understood: ${text}`);
};

/** The conditions in parentheses that an operator joins; undefined when the text does not contain it. */
const joinedBy = (operator: string, text: string): readonly string[] | undefined => {
  const parts = text.split(` ${operator} `);
  return parts.length > 1 ? parts.map((part) => /^\((.+)\)$/.exec(part)?.[1] ?? '') : undefined;
};

/**
 * Parses a JSON filter pattern of CloudWatch Logs: conditions on text, numbers and regular expressions, joined by `&&` or
 * by `||` (AWS: "Filter pattern syntax for metric filters", "Supported regular expressions (regex) syntax").
 * @returns whether a log line matches
 * @throws {Error} when the pattern uses any other syntax
 */
export const filterPattern = (pattern: string): Condition => {
  const [, text = ''] = /^\{ (.+) \}$/.exec(pattern) ?? [];
  const all = joinedBy('&&', text)?.map(condition);
  if (all) return (line) => all.every((matches) => matches(line));
  const any = (joinedBy('||', text) ?? [text]).map(condition);
  return (line) => any.some((matches) => matches(line));
};

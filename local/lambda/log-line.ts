import { z } from 'zod';
import { styled } from '../../terminal/style.ts';

const entry = z.object({
  level: z.string(),
  message: z.looseObject({
    event: z.string().optional(),
    stack: z.array(z.string()).default([]),
    // As Lambda has it of an error that was thrown.
    stackTrace: z.array(z.string()).default([]),
  }),
});

/** JSON as Lambda writes it for programs, and something to read for a person. */
export const shownLogLine = (line: string): string => (process.stdout.isTTY ? readable(line) : line);

/**
 * A line of a function's log for the person at the terminal: level, event, details, and the stack on lines of its own.
 * @returns anything else as it is
 */
export const readable = (line: string): string => {
  const { data } = entry.safeParse(parsed(line));
  if (data === undefined) return line;
  const { level, message } = data;
  const { event, stack, stackTrace, ...details } = message;
  const texts = Object.entries(details).map(([name, value]) => `${name}: ${text(value)}`);
  return [
    [styled(level === 'ERROR' ? 'red' : level === 'WARN' ? 'yellow' : 'dim', level), event, texts.join(', ')]
      .filter((part) => part !== undefined && part !== '')
      .join(' '),
    ...stack.map((frame) => `    ${frame}`),
    ...stackTrace.slice(1),
  ].join('\n');
};

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

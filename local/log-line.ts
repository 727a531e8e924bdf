import { z } from 'zod';
import { styled } from '../terminal/style.ts';

const entry = z.object({
  level: z.string(),
  message: z.looseObject({
    event: z.string().optional(),
    stack: z.array(z.string()).default([]),
    // Lambda's field for a thrown error.
    stackTrace: z.array(z.string()).default([]),
  }),
});

/** A line of a function's log: readable on a terminal, else the JSON that Lambda writes. */
export const shownLogLine = (line: string): string => (process.stdout.isTTY ? readable(line) : line);

/**
 * Formats a line of a function's log for a person: level, event, details, and the stack on lines of its own.
 * @returns any other line unchanged
 */
export const readable = (line: string): string => {
  const { data } = entry.safeParse(parsed(line));
  if (data === undefined) return line;
  const { level, message } = data;
  const { event, stack, stackTrace, ...details } = message;
  const texts = Object.entries(details)
    // The same for all lines here.
    .filter(([name]) => name !== 'version')
    .map(([name, value]) => `${name}: ${text(value)}`);
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

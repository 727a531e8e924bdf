import { styled } from '../../cli/terminal/style.ts';

/** Formats a log entry for a person: level, event and details, and then each line of a stack. */
export const readable = (level: string, message: unknown): string => {
  const entries: readonly [string, unknown][] =
    typeof message === 'object' && message !== null ? Object.entries(message) : [['event', message]];
  const details = entries
    // The version is the same for all lines here.
    .filter(([name, value]) => name !== 'version' && value !== undefined && !Array.isArray(value))
    .map(([name, value]) => (name === 'event' ? text(value) : `${name}: ${text(value)}`));
  const lines = entries.flatMap(([, value]): readonly unknown[] => (Array.isArray(value) ? value : []));
  const color = level === 'ERROR' ? 'red' : level === 'WARN' ? 'yellow' : 'dim';
  return [
    `${styled(color, level)} ${details.join(', ')}`,
    ...lines.map((line) => `    ${text(line).trim()}`),
  ].join('\n');
};

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

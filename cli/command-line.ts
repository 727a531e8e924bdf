import { UserError } from '../terminal/user-error.ts';
import type { TableOptions } from './table/find-table.ts';

/** More commands would not help. */
export const maxCommands = 20;

/** The error of a command that does not guess, with the commands that say what is meant, one on a line. */
export const refusal = (problem: string, commands: readonly string[]): UserError =>
  new UserError([problem, ...commands.slice(0, maxCommands)].join('\n'));

/** A command of this program for another plant or partition, ready to paste into bash. */
export const commandLine = (
  [name, id]: readonly [name: string, id?: string],
  options: Readonly<Record<string, string | undefined>>,
  { stage, table, endpoint }: TableOptions,
): string => {
  const words = Object.entries({ ...options, stage, table, endpoint }).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option}`, bashWord(value)],
  );
  const isOption = id?.startsWith('-') === true;
  const idWords = id === undefined ? [] : [bashWord(id)];
  return [
    'npm run plants --',
    name,
    ...(isOption ? [...words, '--', ...idWords] : [...idWords, ...words]),
  ].join(' ');
};

/** A text as one word of bash. Characters that could move the terminal's cursor are written as bytes. */
const bashWord = (text: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!/\p{C}/u.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text
    .replaceAll(/[\\']/g, String.raw`\$&`)
    .replaceAll(/\p{C}/gu, (character) =>
      [...Buffer.from(character)].map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  return `$'${escaped}'`;
};

import { isatty } from 'node:tty';
import { styleText } from 'node:util';

/** Colours appear only on a terminal, and never with NO_COLOR (no-color.org). */
const coloured = isatty(1) && (process.env['NO_COLOR'] ?? '') === '';

/** Styles a text if standard output shows colours. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  coloured ? styleText(style, text, { validateStream: false }) : text;

/** Replaces everything but printable ASCII in an untrusted text, which could control the terminal. */
export const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** Escapes, as JSON does, what could control a terminal or hide in it, such as U+009B, U+202E and U+2028. */
export const escaped = (text: string): string =>
  text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

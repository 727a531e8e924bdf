/**
 * Escapes, as JSON does, what could control a terminal, hide in it or look like another line, such as U+009B,
 * U+202E and line ends.
 */
export const escaped = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

/** Escapes each line of a text. */
export const escapedLines = (text: string): string => text.split('\n').map(escaped).join('\n');

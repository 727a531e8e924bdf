import { InvalidArgumentError } from 'commander';

const formats = ['csv', 'json', 'jsonl', 'ndjson'] as const;

/** How a file holds its rows. */
export type Format = (typeof formats)[number];

/** The format of this name, in capitals or not. */
export const formatNamed = (text: string): Format | undefined =>
  formats.find((format) => format === text.toLowerCase());

/**
 * Reads the name of a format from the command line.
 * @throws {InvalidArgumentError} on anything else
 */
export const parseFormat = (text: string): Format => {
  const format = formatNamed(text);
  if (format === undefined) throw new InvalidArgumentError('It is csv, json or ndjson.');
  return format;
};

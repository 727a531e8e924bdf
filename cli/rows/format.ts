import { InvalidArgumentError } from 'commander';

const formats = ['csv', 'json', 'jsonl', 'ndjson'] as const;

/** The format of a file. */
export type Format = (typeof formats)[number];

/** The format with this name, in upper or lower case. */
export const formatNamed = (text: string): Format | undefined =>
  formats.find((format) => format === text.toLowerCase());

/**
 * Parses a format on the command line.
 * @throws {InvalidArgumentError}
 */
export const parseFormat = (text: string): Format => {
  const format = formatNamed(text);
  if (format === undefined) throw new InvalidArgumentError('It must be csv, json or ndjson.');
  return format;
};

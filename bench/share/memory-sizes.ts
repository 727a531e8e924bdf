import { InvalidArgumentError } from 'commander';
import type { Task } from '../variants.ts';

/** Memory sizes of each function, in MB. */
export type MemorySizes = Readonly<Record<Task, readonly number[]>>;

const larger = [256, 512, 1024, 1769];

/** The sizes that each function's memory is chosen from. */
export const choices: MemorySizes = { list: larger, authorizer: [128, ...larger] };

/**
 * Parses memory sizes separated by commas.
 * @throws {InvalidArgumentError} unless Lambda has all of them (AWS: "Configure Lambda function memory")
 */
export const parseSizes = (text: string): MemorySizes => {
  const sizes = [...new Set(text.split(','))].map((size) => (/^[1-9]\d{2,4}$/.test(size) ? Number(size) : 0));
  if (!sizes.every((size) => size >= 128 && size <= 10_240)) {
    throw new InvalidArgumentError('Each must be a whole number of MB from 128 to 10240.');
  }
  return { list: sizes, authorizer: sizes };
};

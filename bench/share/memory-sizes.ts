import { InvalidArgumentError } from 'commander';
import type { Task } from '../variants.ts';

/** The memory sizes of each function that are measured, in MB. */
export type MemorySizes = Readonly<Record<Task, readonly number[]>>;

const larger = [256, 512, 1024, 1769];

export const defaultSizes: MemorySizes = { list: larger, authorizer: [128, ...larger] };

/** For both functions in a row: what was deployed before the sizes were chosen by measurement. */
export const pairSizes = { authorizer: 256, list: 512 } as const;

/**
 * Reads memory sizes separated by commas.
 * @throws {InvalidArgumentError} unless all are sizes that Lambda has (AWS: "Configure Lambda function memory")
 */
export const parseSizes = (text: string): MemorySizes => {
  const sizes = [...new Set(text.split(','))].map((size) => (/^[1-9]\d{2,4}$/.test(size) ? Number(size) : 0));
  if (!sizes.every((size) => size >= 128 && size <= 10_240)) {
    throw new InvalidArgumentError('Lambda has memory sizes of 128 to 10240 whole MB.');
  }
  return { list: sizes, authorizer: sizes };
};

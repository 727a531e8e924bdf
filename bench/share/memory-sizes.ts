import type { Task } from '../variants.ts';

/** The memory sizes of each function that are measured, in MB. */
export type MemorySizes = Readonly<Record<Task, readonly number[]>>;

const larger = [256, 512, 1024, 1769];

export const defaultSizes: MemorySizes = { list: larger, authorizer: [128, ...larger] };

/** For both functions in a row: what was deployed before the sizes were chosen by measurement. */
export const pairSizes = { authorizer: 256, list: 512 } as const;

/**
 * Reads memory sizes separated by commas.
 * @returns undefined if one is not a size that Lambda has (AWS: "Configure Lambda function memory")
 */
export const parseSizes = (text: string): MemorySizes | undefined => {
  const sizes = [...new Set(text.split(','))].map((size) =>
    /^[1-9]\d{2,4}$/.test(size) ? Number(size) : NaN,
  );
  return sizes.every((size) => size >= 128 && size <= 10_240)
    ? { list: sizes, authorizer: sizes }
    : undefined;
};

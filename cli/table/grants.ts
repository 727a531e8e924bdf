import { setTimeout } from 'node:timers/promises';
import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../terminal/user-error.ts';
import { batchWriter } from './batch-writer.ts';
import type { Grant, PlantTable } from './plant-table.ts';

/**
 * Finds who has a plant.
 * @param principal looks only here
 * @throws {UserError} when nobody has it
 */
export const findGrants = async (
  table: PlantTable,
  id: string,
  principal?: string,
): Promise<readonly Grant[]> => {
  const found = await table.grantsOf(id, principal);
  if (found.length === 0)
    throw new UserError(
      `There is no plant with this id${principal === undefined ? '' : ' in --from'}. The commands list and export print the ids.`,
    );
  return found;
};

/** Writes a few requests, and waits for all of them. */
export const writeAll = async (
  { writeOnce }: PlantTable,
  requests: readonly WriteRequest[],
): Promise<void> => {
  const writer = batchWriter(writeOnce, setTimeout);
  for (const request of requests) await writer.put(request);
  await writer.finish();
};

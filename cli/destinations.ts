import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import type { IdentifiedPlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import type { PlantTable } from './table/plant-table.ts';
import { replacement } from './table/replacement.ts';
import { putRequest } from './table/write-requests.ts';

/** Where the rows of a file go. */
export interface Destination {
  readonly put: (plant: IdentifiedPlant) => Promise<void>;
  /**
   * Writes the rest.
   * @param isWhole whether each row of the file was put
   */
  readonly finish: (isWhole: boolean) => Promise<void>;
  /** Whether anything is done. */
  readonly hasBegun: () => boolean;
  /** What is done, as the beginning of a sentence. */
  readonly done: () => string;
}

/** Counts the rows. */
export const onlyCounted = (): Destination => {
  let rows = 0;
  return {
    put: () => {
      rows += 1;
      return Promise.resolve();
    },
    finish: () => Promise.resolve(),
    hasBegun: () => rows > 0,
    done: () => `${count(rows, 'row')} can be loaded`,
  };
};

/** Adds the rows to the principal's plants. */
export const addedTo = (table: PlantTable, principal: Principal): Destination => {
  const writer = table.writer();
  return {
    put: (plant) => writer.put(putRequest(principal, plant)),
    finish: () => writer.finish(),
    hasBegun: () => writer.written() > 0,
    done: () => `${count(writer.written(), 'row')} ${writer.written() === 1 ? 'is' : 'are'} in the table`,
  };
};

/** Makes the rows the principal's only plants. What a file that was not read whole lacks stays. */
export const insteadOf = (
  table: PlantTable,
  principal: Principal,
  { isDryRun, signal }: { readonly isDryRun: boolean; readonly signal: AbortSignal },
): Destination => {
  const file = replacement(table, principal);
  const writer = table.writer();
  let done: string | undefined;
  const write = async (requests: Iterable<WriteRequest>): Promise<void> => {
    try {
      for (const request of requests) {
        signal.throwIfAborted();
        await writer.put(request);
      }
    } finally {
      await writer.finish();
    }
  };
  const compareAndWrite = async (isWhole: boolean): Promise<void> => {
    const { added, changed, removed } = await file.changes();
    if (!isDryRun) await write(file.puts());
    if (!isDryRun && isWhole) await write(file.deletions());
    const reason = isWhole ? '' : ' because not every row could be read';
    done = `${count(added, 'plant')} added, ${changed.toLocaleString('en')} changed, ${(isWhole ? removed : 0).toLocaleString('en')} removed${reason}${isDryRun ? ' (--dry-run: nothing was written)' : ''}`;
    if (isDryRun || !isWhole || writer.written() === 0) return;
    if (Object.values(await file.changes()).some((amount) => amount > 0))
      throw new UserError('Another command wrote to the same user or group meanwhile.');
  };
  return {
    put: (plant) => {
      file.add(plant);
      return Promise.resolve();
    },
    finish: (isWhole) => compareAndWrite(isWhole).finally(file.close),
    hasBegun: () => done !== undefined || writer.written() > 0,
    done: () => done ?? `${count(writer.written(), 'change')} written`,
  };
};

import { describe, expect, it } from 'vitest';
import { batchWriter, type WriteOnce } from '../../../cli/table/batch-writer.ts';
import { putRequest } from '../../../cli/table/write-requests.ts';

const request = (id: number) => putRequest('user#alice', { id: String(id), name: 'Aloe' });
const requests = (amount: number) => Array.from({ length: amount }, (_each, id) => request(id));

/** Writes a number of requests. Records the delays without waiting. */
const writeAll = async (amount: number, writeOnce: WriteOnce) => {
  const waits: number[] = [];
  const writer = batchWriter(writeOnce, (ms) => {
    waits.push(ms);
    return Promise.resolve();
  });
  const write = async (): Promise<void> => {
    for (const each of requests(amount)) await writer.put(each);
  };
  const error: unknown = await write()
    .finally(() => writer.finish())
    .catch((reason: unknown) => reason);
  return { error, waits, written: writer.written() };
};

describe('the batch writer', () => {
  it('sends each request once, 25 in a batch, the rest at the end', async () => {
    const batches: string[][] = [];
    const { written } = await writeAll(60, (batch) => {
      batches.push(batch.map(({ PutRequest: put }) => put?.Item?.['sortKey']?.S ?? ''));
      return Promise.resolve([]);
    });
    expect(batches.map(({ length }) => length)).toEqual([25, 25, 10]);
    expect(new Set(batches.flat()).size).toBe(60);
    expect(written).toBe(60);
  });

  it('sends unprocessed requests again after jittered delays, with a limit that doubles while nothing is written', async () => {
    let attempt = 0;
    const sizes: number[] = [];
    const { waits, written, error } = await writeAll(25, (batch) => {
      sizes.push(batch.length);
      attempt += 1;
      return Promise.resolve(attempt <= 4 ? batch : batch.slice(10));
    });
    expect(sizes).toEqual([25, 25, 25, 25, 25, 15, 5]);
    for (const [index, ms] of waits.slice(0, 4).entries()) expect(ms).toBeLessThanOrEqual(100 * 2 ** index);
    expect(new Set(waits).size).toBe(waits.length);
    expect({ written, error }).toEqual({ written: 25, error: undefined });
  });

  it('sends at most eight batches concurrently', async () => {
    let underWay = 0;
    let most = 0;
    await writeAll(1000, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return [];
    });
    expect(most).toBe(8);
  });

  it('fails with a user error when the store keeps throttling, and counts the requests written before', async () => {
    const { error, written } = await writeAll(50, (batch) =>
      Promise.resolve(batch[0]?.PutRequest?.Item?.['sortKey']?.S?.endsWith('\u00000') === true ? [] : batch),
    );
    expect(String(error)).toMatch(/^UserError: The table throttles .+\./);
    expect(written).toBe(25);
  });

  it('fails with the store’s error, and starts no batch after it', async () => {
    let calls = 0;
    const { error, written } = await writeAll(1000, () => {
      calls += 1;
      return calls === 3 ? Promise.reject(new Error('gone')) : Promise.resolve([]);
    });
    expect(error).toEqual(new Error('gone'));
    expect(calls).toBeLessThanOrEqual(3 + 8);
    expect(written).toBeLessThan(1000);
  });
});

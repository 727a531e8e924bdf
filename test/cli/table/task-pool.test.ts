import { describe, expect, it } from 'vitest';
import { taskPool } from '../../../cli/table/task-pool.ts';

describe('a pool of tasks', () => {
  it('runs as many tasks at once as it may, however many callers start them, and all of them', async () => {
    const pool = taskPool(3);
    let [running, most, ended] = [0, 0, 0];
    const startTen = async (): Promise<void> => {
      for (let started = 0; started < 10; started += 1)
        await pool.start(async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise(setImmediate);
          running -= 1;
          ended += 1;
        });
    };
    await Promise.all([startTen(), startTen(), startTen(), startTen(), startTen()]);
    await pool.finish();
    expect({ most, ended }).toEqual({ most: 3, ended: 50 });
  });

  it('starts nothing after a failure, waits for what runs, and throws the first error each time', async () => {
    const pool = taskPool(2);
    let ended = false;
    await pool.start(async () => {
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      ended = true;
    });
    await pool.start(() => Promise.reject(new Error('first')));
    const started: string[] = [];
    await expect(
      pool.start(() => {
        started.push('second');
        return Promise.resolve();
      }),
    ).rejects.toThrow('first');
    await expect(pool.finish()).rejects.toThrow('first');
    expect({ started, ended }).toEqual({ started: [], ended: true });
  });
});

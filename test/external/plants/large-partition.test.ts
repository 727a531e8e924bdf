import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LargePartition, startLargePartition } from '../../support/large-partition.ts';
import { peakMemory, printPeakMemory } from '../../support/peak-memory.ts';
import { startPlants } from '../../support/plants-command.ts';

const amount = 400_000;
const limitKilobytes = 200_000;
let store: LargePartition;
beforeAll(async () => {
  store = await startLargePartition(amount);
});
afterAll(() => store.close());

const start = (...parameters: readonly string[]) =>
  startPlants([...parameters, '--endpoint', store.endpoint], { env: printPeakMemory });

describe('400,000 plants of one user', () => {
  it.for([
    ['list', '--from', 'user:large', '--table', 'plants'],
    ['list', '--read-units', '1000000', '--table', 'plants'],
    ['export', '--from', 'user:large', '--table', 'plants'],
    ['check', '--read-units', '1000000', '--table', 'plants'],
    ['grant', '7', '--to', 'user:two', '--from', 'user:large', '--table', 'plants'],
    ['revoke', '7', '--from', 'user:large', '--name', 'no such name', '--table', 'plants'],
    ['restore', '--from-table', 'plants', '--dry-run', '--read-units', '1000000', '--table', 'empty'],
  ])('take less than 200 MB: %s', async (parameters) => {
    const { code, messages } = await start(...parameters).ended;
    expect({ code, messages }).toMatchObject({ code: parameters[0] === 'revoke' ? 1 : 0 });
    expect(peakMemory(messages)).toBeLessThan(limitKilobytes);
    if (parameters.includes('--read-units') || parameters[0] === 'export')
      expect(messages.filter((line) => /^\d+,\d+ rows, .* rows\/s$/.test(line))).toHaveLength(8);
    if (parameters[0] === 'restore') expect(messages).toContain('400,000 missing, 0 different, 0 extra.');
  });

  it('take less than 200 MB while restore writes them', async () => {
    const missing = await startLargePartition(40_000);
    try {
      const parameters = ['restore', '--from-table', 'plants', '--read-units', '1000000', '--table', 'empty'];
      const { ended } = startPlants([...parameters, '--endpoint', missing.endpoint], {
        env: printPeakMemory,
      });
      const { code, messages } = await ended;
      // This store keeps nothing that is put.
      expect([code, messages.at(-2)]).toEqual([
        1,
        expect.stringMatching(/^Other commands wrote meanwhile: 40,000 missing\b.* 40,000 items restored\./),
      ]);
      expect(peakMemory(messages)).toBeLessThan(limitKilobytes);
    } finally {
      await missing.close();
    }
  });

  it('are revoked page by page: Ctrl-C keeps what is done, and the same command does the rest', async () => {
    const revoke = ['revoke', '--all', '--from', 'user:large', '--table', 'plants'];
    const { process: child, ended } = start(...revoke);
    let batches = 0;
    store.onDelete = () => {
      batches += 1;
      if (batches === 100) child.kill('SIGINT');
    };
    const { code, messages } = await ended;
    const [, done = ''] =
      /^Interrupted: (.+) plants revoked\. Run the same/.exec(messages.at(-2) ?? '') ?? [];
    const left = store.left();
    expect(left).toBeGreaterThan(amount - 10_000);
    expect([code, done]).toEqual([130, (amount - left).toLocaleString('en')]);

    const again = await start(...revoke).ended;
    expect([again.code, again.messages.at(-2)]).toEqual([0, `${left.toLocaleString('en')} plants revoked.`]);
    expect(peakMemory(again.messages)).toBeLessThan(limitKilobytes);
    expect(store.left()).toBe(0);
  });
});

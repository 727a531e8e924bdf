import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../../local/listen.ts';
import { generatedPlants, ndjson } from '../../support/generated-plants.ts';
import { plants, startPlants, type TestTable, testTable } from '../../support/plants-command.ts';

const amount = 6000;
const content = ndjson(generatedPlants(amount));
let table: TestTable;
let file: string;
beforeAll(async () => {
  table = await testTable();
  file = join(table.folder, 'plants.ndjson');
  writeFileSync(file, content);
});
afterAll(() => {
  table.close();
});

const importInto = (principal: string) => ['import', file, '--to', principal, ...table.options];
const exportOf = async (principal: string): Promise<string> =>
  (await plants(['export', '--from', principal, ...table.options])).output;
const countOf = async (principal: string): Promise<number> => (await table.namesOf(principal)).length;

/** Waits until a part of the file is in the table. */
const underWay = async (principal: string): Promise<void> => {
  while ((await countOf(principal)) === 0) await setTimeout(5);
};

const someRows = /(\d[\d,]*) rows? (?:is|are) in the table/;
const rowsSaid = (messages: readonly string[]): number =>
  Number(someRows.exec(messages.join('\n'))?.[1]?.replaceAll(',', ''));

describe('an import that was', () => {
  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'interrupted by %s says how many rows are in, and completes when run again',
    async ([signal, exit]) => {
      const { process: child, ended } = startPlants(importInto(`user:${signal}`));
      await underWay(`user#${signal}`);
      // npm forwards Ctrl-C, so it arrives twice.
      child.kill(signal);
      child.kill(signal);
      const { code, messages } = await ended;

      expect(code).toBe(exit);
      expect(messages.at(-1)).toMatch(/^Interrupted: .*the same command again/);
      const inTable = await exportOf(`user:${signal}`);
      expect(inTable.split('\n').length - 1).toBe(rowsSaid(messages));
      expect(messages.filter((message) => !/ %: |^Interrupted: /.test(message))).toEqual([]);
      expect(inTable.length).toBeLessThan(content.length);

      expect((await plants(importInto(`user:${signal}`))).code).toBe(0);
      expect(await exportOf(`user:${signal}`)).toBe(content);
    },
  );

  it('interrupted while it waits for standard input ends, too', async () => {
    const { process: child, ended } = startPlants(
      ['import', '-', '--format', 'ndjson', '--to', 'user:stdin', ...table.options],
      { input: ndjson(generatedPlants(1000)), staysOpen: true },
    );
    await underWay('user#stdin');
    child.kill('SIGINT');
    const { code, messages } = await ended;
    expect(code).toBe(130);
    expect(await countOf('user#stdin')).toBe(rowsSaid(messages));
  });

  it('killed at ten random moments is complete when run again', async () => {
    const started = performance.now();
    await plants(importInto('user:whole'));
    const duration = performance.now() - started;

    const seed = Math.floor(Math.random() * 2 ** 31);
    // The early ones first: a complete table could hide a loss.
    const moments = fc
      .sample(fc.noBias(fc.double({ min: 0.2, max: 1, noNaN: true })), { seed, numRuns: 10 })
      .toSorted((a, b) => a - b);
    const signals: (NodeJS.Signals | null)[] = [];
    const counts: number[] = [];
    for (const moment of moments) {
      const { process: child, ended } = startPlants(importInto('user:killed'));
      await setTimeout(moment * duration);
      child.kill('SIGKILL');
      await ended;
      signals.push(child.signalCode);
      counts.push(await countOf('user#killed'));
    }
    expect(signals).toContain('SIGKILL');
    console.log(
      `seed ${String(seed)}, killed after (of 1): ${moments.map((each) => each.toFixed(2)).join(' ')}; rows in: ${counts.join(' ')}`,
    );

    const { code } = await plants(importInto('user:killed'));
    expect(code).toBe(0);
    expect(await exportOf('user:killed')).toBe(content);
  });

  it('disconnected from its store says so, how many rows are in at least, and to run it again', async () => {
    let requests = 0;
    const failing = createServer((_request, response) => {
      requests += 1;
      if (requests > 100) response.destroy();
      else response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
    });
    const port = await listen(failing, 0, 'PORT');
    const endpoint = `http://127.0.0.1:${String(port)}`;
    const { code, messages } = await plants([
      ...['import', file, '--to', 'user:left', '--table', 'plants', '--endpoint', endpoint],
    ]);
    failing.close();
    expect(code).toBe(1);
    expect(messages.at(-1)).toMatch(/ECONNRESET.*\b2,500 rows .*the same command again/);
  });
});

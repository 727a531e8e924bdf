import { idIn, sortKeyOf } from '../table/sort-key.ts';
import { count } from '../terminal/count.ts';
import { startProgress } from '../terminal/progress.ts';
import { commandLine } from './command-line.ts';
import { findingLine, findingsText, noFindings, problemOf } from './findings.ts';
import { resumable } from './interruption.ts';
import { keyHash } from './key-hash.ts';
import { principalText } from './principal.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant, GrantKey } from './table/grant.ts';
import { waitUntilAborted } from './table/patience.ts';
import { type AmbiguousGrant, plantsById } from './table/plants-by-id.ts';
import { readPace } from './table/read-pace.ts';
import { taskPool } from './table/task-pool.ts';
import { writeOutput } from './write-output.ts';

export interface CheckOptions extends TableOptions {
  /** Read units per second. */
  readonly readUnits: number;
  /** Prints names. */
  readonly show?: boolean;
  readonly repair?: boolean;
}

const repairsAtOnce = 16;

/**
 * Reads the whole table once, and prints what is wrong with it, one finding on a line.
 * @returns the exit code: 1 if something is left that is wrong
 */
export const check = async ({
  readUnits,
  show = false,
  repair = false,
  ...options
}: CheckOptions): Promise<number> => {
  const findings = noFindings();
  let repaired = 0;
  const revokeCommand = (key: GrantKey): string =>
    commandLine(['revoke'], { key: keyHash(key), from: principalText(key.principal) }, options);
  const removeCommand = (id: string, name: string): string =>
    show ? commandLine(['remove', id], { name }, options) : commandLine(['who', id], {}, options);

  const namesLines = async function* (grants: AsyncIterable<AmbiguousGrant>): AsyncGenerator<string> {
    let [lastId, lastCommand] = ['', ''];
    for await (const { id, name, principal } of grants) {
      if (id !== lastId) findings['several names'] += 1;
      yield `${findingLine({ principal, sortKey: sortKeyOf(name, id) }, 'several names', show)}\n`;
      const command = removeCommand(id, name);
      if (repair && command !== lastCommand) yield `${command}\n`;
      [lastId, lastCommand] = [id, command];
    }
  };

  const run = async (signal: AbortSignal): Promise<number> => {
    const table = await findTable(options, signal);
    const hasIndex = await table.hasIndex();
    const ids = plantsById(signal);
    const repairs = taskPool(repairsAtOnce);
    const progress = startProgress(undefined, process.stderr);
    let items = 0;

    const lineOf = async (grant: Grant): Promise<string> => {
      if (idIn(grant.sortKey) !== '') ids.add(grant);
      const problem = problemOf(grant);
      if (problem === undefined) return '';
      findings[problem] += 1;
      const { plant } = grant;
      if (repair && plant !== undefined)
        await repairs.start(async () => {
          signal.throwIfAborted();
          if (await table.setPlantId(grant, plant.id)) repaired += 1;
        });
      const command = repair && plant === undefined ? `${revokeCommand(grant)}\n` : '';
      return `${findingLine(grant, problem, show)}\n${command}`;
    };
    const lines = async function* (): AsyncGenerator<string> {
      if (!hasIndex) yield `${table.name}\t\tno index\n`;
      for await (const page of table.allPlants(readPace(readUnits, waitUntilAborted(signal)))) {
        for (const grant of page) {
          const line = await lineOf(grant);
          if (line === '') continue;
          progress.stop();
          yield line;
        }
        items += page.length;
        progress.update(items, 0);
      }
      progress.stop();
      yield* namesLines(ids.withSeveralNames());
    };
    try {
      if (!(await writeOutput(lines()))) {
        process.stderr.write('The output was closed before the whole table was read.\n');
        return 1;
      }
    } finally {
      progress.stop();
      await repairs.finish();
      ids.close();
    }
    const found = findings['not in the index'] + findings['other id in the index'];
    const left = findings.damaged + findings['several names'] + found - repaired;
    process.stderr.write(`${count(items, 'item')}: ${findingsText(findings)}.\n`);
    if (repair) process.stderr.write(`${count(repaired, 'item')} repaired in the index.\n`);
    return left === 0 && hasIndex ? 0 : 1;
  };
  return resumable(run, () => (repaired === 0 ? undefined : `${count(repaired, 'item')} repaired`));
};

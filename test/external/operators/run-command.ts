import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { check } from '../../../cli/check.ts';
import { grant } from '../../../cli/grant.ts';
import { importPlants } from '../../../cli/import.ts';
import { remove } from '../../../cli/remove.ts';
import { restore } from '../../../cli/restore.ts';
import { revoke } from '../../../cli/revoke.ts';
import { toUserError } from '../../../cli/to-user-error.ts';
import { who } from '../../../cli/who.ts';
import { UserError } from '../../../terminal/user-error.ts';
import { hashOf } from './items.ts';
import type { Command } from './steps.ts';

/** What a command did to the terminal. */
export interface Ended {
  readonly exitCode: number;
  readonly output: string;
  readonly messages: string;
}

interface Table {
  readonly table: string;
  readonly endpoint: string;
}

/** Fast enough not to wait. */
const readUnits = 1_000_000;

const terminals = new AsyncLocalStorage<{ output: string; messages: string }>();

/** Gives every command a terminal of its own. @returns ends this */
export const openTerminals = (): (() => void) => {
  const spies = (['output', 'messages'] as const).map((kind) =>
    vi.spyOn(process[kind === 'output' ? 'stdout' : 'stderr'], 'write').mockImplementation((text) => {
      const terminal = terminals.getStore();
      if (terminal !== undefined) terminal[kind] += String(text);
      return true;
    }),
  );
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
};

const ended = async (run: () => Promise<number | undefined>): Promise<Ended> => {
  const terminal = { output: '', messages: '' };
  return terminals.run(terminal, async () => {
    try {
      return { exitCode: (await run()) ?? 0, ...terminal };
    } catch (error) {
      const reason = toUserError(error);
      if (!(reason instanceof UserError)) throw error;
      return { exitCode: 1, ...terminal, messages: `${terminal.messages}${reason.message}\n` };
    }
  });
};

/** Runs `who`. */
export const runWho = (id: string, table: Table): Promise<Ended> =>
  ended(() => who(id, table).then(() => undefined));

/**
 * Runs a command in this process, as cli/main.ts does.
 * @throws {Error} a defect
 */
export const runCommand = (command: Command, table: Table, otherTable: string): Promise<Ended> =>
  ended(async () => {
    switch (command.run) {
      case 'import': {
        const { rows, to, replace, strict, dryRun } = command;
        const file = join(tmpdir(), `${randomUUID()}.json`);
        writeFileSync(file, JSON.stringify(rows));
        return importPlants(file, { ...table, to, replace, strict, dryRun }).finally(() => {
          rmSync(file);
        });
      }
      case 'grant': {
        const { id, to, from, name } = command;
        await grant(id, { ...table, to, ...(from && { from }), ...(name !== undefined && { name }) });
        return 0;
      }
      case 'revoke': {
        const { id, from, name } = command;
        return revoke(id, { ...table, from, ...(name !== undefined && { name }) });
      }
      case 'revoke --all':
        return revoke(undefined, { ...table, from: command.from, all: true });
      case 'revoke --key':
        return revoke(undefined, { ...table, from: command.from, key: hashOf(command) });
      case 'remove':
        return remove(command.id, { ...table, ...(command.name !== undefined && { name: command.name }) });
      case 'check':
        return check({ ...table, repair: command.repair, readUnits });
      case 'restore': {
        const { from, principal, dryRun, allowEmpty } = command;
        return restore({
          ...table,
          fromTable: from === 'the other table' ? otherTable : table.table,
          ...(principal && { principal }),
          dryRun,
          allowEmpty,
          readUnits,
        });
      }
    }
  });

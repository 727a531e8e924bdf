// A second `npm start` in a checkout: it is refused, whichever ports it has, while the first one runs.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { ownLines } from '../../support/lines.ts';
import {
  type Command,
  copyProject,
  freePorts,
  npm,
  signalGroup,
  startService,
} from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

const serviceFile = join(project.folder, '.local/service.json');

const start = (environment: Readonly<Record<string, string>> = {}): Command =>
  npm(project.folder, ['start'], { ...freePorts, ...environment });

it('rejects a second start with the address of the first, and keeps the first’s service file', async () => {
  const first = await startService(project);
  try {
    const before = readFileSync(serviceFile, 'utf8');
    for (const PORT of ['0', new URL(first.baseUrl).port]) {
      const { code, output } = await start({ PORT }).ended;
      expect([code, ownLines(output)]).toEqual([1, [expect.stringContaining(`runs at ${first.baseUrl}.`)]]);
    }
    expect(readFileSync(serviceFile, 'utf8')).toBe(before);
  } finally {
    await first.stop();
  }
  expect(existsSync(serviceFile)).toBe(false);
});

it('runs one of four simultaneous starts after an earlier one was killed', async () => {
  const killed = await startService(project);
  signalGroup(killed.command, 'SIGKILL');
  await killed.command.ended;
  expect(existsSync(serviceFile)).toBe(true);
  const all = [start(), start(), start(), start()];
  const printed = all.map(async (each) => {
    await each.printed('Stop with Ctrl-C.').catch(() => undefined);
    return each.output();
  });
  try {
    const outputs = await Promise.all(printed);
    const ready = outputs.flatMap((output) => / is ready at (\S+)$/m.exec(output)?.[1] ?? []);
    expect(ready).toHaveLength(1);
    expect(readFileSync(serviceFile, 'utf8')).toContain(`"${ready.join()}"`);
    // A race: the first may have no address yet when the others look for it.
    const refusal =
      /^Another npm start of this checkout (?:is starting|runs at http:\S+)\. Use it, or stop it/;
    const refused = outputs.filter((output) => !output.includes(' is ready at '));
    expect(refused).toHaveLength(3);
    for (const output of refused) expect(ownLines(output).join('\n')).toMatch(refusal);
  } finally {
    for (const each of all) {
      const { exitCode, signalCode } = each.process;
      if (exitCode === null && signalCode === null) signalGroup(each, 'SIGINT');
      await each.ended;
    }
  }
  expect(existsSync(serviceFile)).toBe(false);
});

/** Stops a start as Ctrl-C does, and expects that no process and no file of it is left. */
const stop = async (command: Command, when: string): Promise<void> => {
  signalGroup(command, 'SIGINT');
  // Waits for every process that holds the output.
  expect((await command.ended).output, when).not.toMatch(/error/i);
  const processes = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  // Z: a zombie, which ended and was not reaped yet.
  const ownGroup = new RegExp(`^ *${String(command.process.pid)} +[^Z]`);
  expect(processes.filter((line) => ownGroup.test(line))).toEqual([]);
  const left = ['service.json', 'bundles'].filter((file) =>
    lstatSync(join(project.folder, '.local', file), { throwIfNoEntry: false }),
  );
  expect(left, when).toEqual([]);
};

it('leaves no process, service file or bundle behind when it is stopped during its start', async () => {
  for (const milliseconds of [100, 300, 600, 1000, 1500]) {
    const command = start();
    await delay(milliseconds);
    await stop(command, `after ${String(milliseconds)} ms`);
  }
});

it('says that it waits for a slow synthesis, and leaves nothing behind when it is stopped then', async () => {
  const unbreak = project.edit('infra/stages.ts', 'const common', 'for (;;);\nconst common');
  const command = start();
  await command.printed('Still synthesizing the stack');
  await stop(command, 'during the synthesis');
  unbreak();
});

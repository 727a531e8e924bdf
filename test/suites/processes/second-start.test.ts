// A second `npm start` in a checkout: it is refused, whichever ports it has, while the first one runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { ownLines } from '../own-lines.ts';
import { stopServer } from '../../support/loopback-server.ts';
import {
  type Command,
  copyProject,
  freePorts,
  runCommand,
  signalGroup,
  startService,
} from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

const serviceFile = join(project.folder, '.local/service.json');

const start = (environment: Readonly<Record<string, string>> = {}): Command =>
  runCommand('npm', project.folder, ['start'], { ...freePorts, ...environment });

const refusal = (address: string): string =>
  `Another npm start of this checkout runs at ${address}. Use it, or stop it first.`;

it('rejects a second start with the address of the first, and keeps the first’s service file', async () => {
  const first = await startService(project);
  // The machine's proxy must not be asked for the first.
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' };
  const rejected = async (PORT: string): Promise<void> => {
    const { code, output } = await start({ PORT, ...proxy }).ended;
    expect([code, ownLines(output)]).toEqual([1, [refusal(first.baseUrl)]]);
  };
  const before = readFileSync(serviceFile, 'utf8');
  try {
    await rejected('0');
    await rejected(new URL(first.baseUrl).port);
    // Like Ctrl-Z.
    signalGroup(first.command, 'SIGSTOP');
    await rejected('0');
    expect(readFileSync(serviceFile, 'utf8')).toBe(before);
  } finally {
    signalGroup(first.command, 'SIGCONT');
    await first.stop();
  }
  expect(existsSync(serviceFile)).toBe(false);
});

it('starts after an earlier one was killed, also when another program has its ports', async () => {
  const killed = await startService(project);
  signalGroup(killed.command, 'SIGKILL');
  await killed.command.ended;
  expect(existsSync(serviceFile)).toBe(true);
  const other = createServer((_, response) => response.end('another issuer'));
  other.listen(Number(new URL(killed.issuer).port), '127.0.0.1');
  const next = await startService(project);
  expect(readFileSync(serviceFile, 'utf8')).toContain(`"${next.baseUrl}"`);
  await next.stop();
  await stopServer(other);
});

it('runs one of four simultaneous starts', async () => {
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
    const refused = outputs.filter((output) => !output.includes(' is ready at '));
    expect(refused.map(ownLines)).toEqual(Array(3).fill([refusal(ready.join())]));
  } finally {
    for (const each of all) {
      const { exitCode, signalCode } = each.process;
      if (exitCode === null && signalCode === null) signalGroup(each, 'SIGINT');
      await each.ended;
    }
  }
  expect(existsSync(serviceFile)).toBe(false);
});

it('leaves no process and no service file behind when it is stopped during its start', async () => {
  for (const milliseconds of [100, 300, 600, 1000, 1500]) {
    const command = start();
    await delay(milliseconds);
    signalGroup(command, 'SIGINT');
    // Waits for every process that holds the output.
    expect((await command.ended).output).not.toMatch(/error/i);
    const processes = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
    // Z: a zombie, which ended and was not reaped yet.
    const ownGroup = new RegExp(`^ *${String(command.process.pid)} +[^Z]`);
    expect(processes.filter((line) => ownGroup.test(line))).toEqual([]);
    expect(existsSync(serviceFile), `after ${String(milliseconds)} ms`).toBe(false);
  }
});

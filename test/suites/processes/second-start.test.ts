// A second `npm start` in a checkout: it is refused, whichever ports it has, while the first one runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { linesWithoutNpm } from '../lines-without-npm.ts';
import { startServer } from '../../support/loopback-server.ts';
import { type Command, runCommand, signalGroup } from '../../support/service/command.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { freePorts, startService } from '../../support/service/running-service.ts';

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
  const before = readFileSync(serviceFile, 'utf8');
  for (const PORT of ['0', new URL(first.baseUrl).port]) {
    const { code, output } = await start({ PORT, ...proxy }).ended;
    expect([code, linesWithoutNpm(output)]).toEqual([1, [refusal(first.baseUrl)]]);
  }
  expect(readFileSync(serviceFile, 'utf8')).toBe(before);
  await first.stop();
  expect(existsSync(serviceFile)).toBe(false);
});

it('starts beside a suspended one (Ctrl-Z), whose end keeps the service file of the new one', async () => {
  const first = await startService(project);
  signalGroup(first.command, 'SIGSTOP');
  const second = await startService(project);
  const written = readFileSync(serviceFile, 'utf8');
  signalGroup(first.command, 'SIGCONT');
  await first.stop();
  expect(readFileSync(serviceFile, 'utf8')).toBe(written);
  await second.stop();
  expect(existsSync(serviceFile)).toBe(false);
});

describe('after npm start was killed, another one starts, though its issuer’s port has', () => {
  const http = (listener: RequestListener) => (): Server => createHttpServer(listener);
  const tcp = (onConnection: (socket: Socket) => void) => (): Server =>
    createServer((socket) => {
      onConnection(socket.on('error', () => undefined));
    });
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const endless = (socket: Socket): void => {
    socket.write(`${head}\r\n`);
    const part = Buffer.alloc(65_536, ' ');
    const write = (): void => {
      while (socket.writable && socket.write(part));
    };
    socket.on('drain', write);
    write();
  };

  it.each<[string, () => Server]>([
    ['a silent program', tcp(() => undefined)],
    ['a program that closes each connection', tcp((socket) => socket.destroy())],
    ['a program that sends no HTTP', tcp((socket) => socket.end('220 ready\r\n'))],
    ['a program that speaks first, as an SSH server does', tcp((socket) => socket.write('SSH-2.0-x\r\n'))],
    ['a server with TLS', () => createTlsServer(() => undefined)],
    ['another issuer', http((_, response) => response.end('{"keys":[{"kid":"other"}]}'))],
    ['a server without a key set', http((_, response) => response.writeHead(404).end('{}'))],
    ['a server that redirects', http((_, response) => response.writeHead(302, { location: '/' }).end())],
    ['a server that sends its head alone', tcp((socket) => socket.write(`${head}Content-Length: 9\r\n\r\n`))],
    [
      'a server that sends a malformed body',
      tcp((socket) => socket.write(`${head}Transfer-Encoding: chunked\r\n\r\nx`)),
    ],
    ['a server that sends without end', tcp(endless)],
  ])('%s', async (_, newServer) => {
    const killed = await startService(project);
    signalGroup(killed.command, 'SIGKILL');
    await killed.command.ended;
    expect(existsSync(serviceFile)).toBe(true);
    const other = newServer();
    const open = new Set<Socket>();
    other.on('connection', (socket: Socket) => open.add(socket));
    await startServer(other, Number(new URL(killed.issuer).port));
    const next = await startService(project);
    expect(readFileSync(serviceFile, 'utf8')).toContain(`"${next.baseUrl}"`);
    await next.stop();
    other.close();
    for (const socket of open) socket.destroy();
  });
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
    expect(refused.map(linesWithoutNpm)).toEqual(Array(3).fill([refusal(ready.join())]));
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

// Tests a second `npm start` in a checkout. While the first one runs, the second one is refused with any
// ports.
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

it('npm start ends with the address of one that runs already, and keeps its service file', async () => {
  const first = await startService(project);
  // The second start asks the first one whether it runs, and must not use the machine's proxy for the
  // request.
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

it('npm start starts beside a suspended one, which keeps the new service file when it ends', async () => {
  const first = await startService(project);
  signalGroup(first.command, 'SIGSTOP');
  const second = await startService(project);
  const newServiceFile = readFileSync(serviceFile, 'utf8');
  signalGroup(first.command, 'SIGCONT');
  await first.stop();
  expect(readFileSync(serviceFile, 'utf8')).toBe(newServiceFile);
  await second.stop();
  expect(existsSync(serviceFile)).toBe(false);
});

describe('npm start starts although, on the issuer’s port of a killed npm start, there is', () => {
  const http = (listener: RequestListener) => (): Server => createHttpServer(listener);
  const tcp = (onConnection: (socket: Socket) => void) => (): Server =>
    createServer((socket) => {
      onConnection(socket.on('error', () => undefined));
    });
  const startOfHead = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const sendEndlessBody = (socket: Socket): void => {
    socket.write(`${startOfHead}\r\n`);
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
    [
      'a server that sends its head alone',
      tcp((socket) => socket.write(`${startOfHead}Content-Length: 9\r\n\r\n`)),
    ],
    [
      'a server that sends a malformed body',
      tcp((socket) => socket.write(`${startOfHead}Transfer-Encoding: chunked\r\n\r\nx`)),
    ],
    ['a server that sends without end', tcp(sendEndlessBody)],
  ])('%s', async (_, newServer) => {
    const killed = await startService(project);
    signalGroup(killed.command, 'SIGKILL');
    await killed.command.ended;
    expect(existsSync(serviceFile)).toBe(true);
    const otherServer = newServer();
    const sockets = new Set<Socket>();
    otherServer.on('connection', (socket: Socket) => sockets.add(socket));
    await startServer(otherServer, Number(new URL(killed.issuer).port));
    const next = await startService(project);
    expect(readFileSync(serviceFile, 'utf8')).toContain(`"${next.baseUrl}"`);
    await next.stop();
    otherServer.close();
    for (const socket of sockets) socket.destroy();
  });
});

it('of four simultaneous npm starts, one runs, and three name its address and end', async () => {
  const commands = [start(), start(), start(), start()];
  const printed = commands.map(async (command) => {
    await command.printed('Stop with Ctrl-C.').catch(() => undefined);
    return command.output();
  });
  try {
    const outputs = await Promise.all(printed);
    const addresses = outputs.flatMap((output) => / is ready at (\S+)$/m.exec(output)?.[1] ?? []);
    expect(addresses).toHaveLength(1);
    expect(readFileSync(serviceFile, 'utf8')).toContain(`"${addresses.join()}"`);
    const refused = outputs.filter((output) => !output.includes(' is ready at '));
    expect(refused.map(linesWithoutNpm)).toEqual(Array(3).fill([refusal(addresses.join())]));
  } finally {
    for (const command of commands) {
      const { exitCode, signalCode } = command.process;
      if (exitCode === null && signalCode === null) signalGroup(command, 'SIGINT');
      await command.ended;
    }
  }
  expect(existsSync(serviceFile)).toBe(false);
});

it('npm start leaves no process and no service file when it is stopped during its start', async () => {
  for (const milliseconds of [100, 300, 600, 1000, 1500]) {
    const command = start();
    await delay(milliseconds);
    signalGroup(command, 'SIGINT');
    // `ended` resolves after every process that holds the output has ended.
    expect((await command.ended).output).not.toMatch(/error/i);
    const processes = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
    // A line about the process group of the command. A zombie (Z) has ended.
    const ofGroup = new RegExp(`^ *${String(command.process.pid)} +[^Z]`);
    expect(processes.filter((line) => ofGroup.test(line))).toEqual([]);
    expect(existsSync(serviceFile), `after ${String(milliseconds)} ms`).toBe(false);
  }
});

// Requests during saves: the gateway keeps connections, and functions are replaced behind it. Then errors.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../../../smoke/client.ts';
import { send } from '../../contract/described-responses.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { type LocalService, startService } from '../../support/service/running-service.ts';

const project = copyProject();
let service: LocalService;
let authorization: string;
const restart = async (): Promise<void> => {
  service = await startService(project);
  [, authorization = ''] = /Authorization: (Bearer \S+)'/.exec(service.command.output()) ?? [];
};
beforeAll(restart);
afterAll(async () => {
  await service.stop();
  project.remove();
});

const respondFile = 'functions/list-plants/respond.ts';
/** The statement of `respond` before which tests add others. */
const findPrincipals = 'const principals = principalsOf(event, now());';
const restores: (() => void)[] = [];
/** How often the functions were reloaded. */
const reloads = (): number => service.command.output().split('The functions were reloaded.').length - 1;
/** Saves a change, and waits until it is loaded. It is undone after the test. */
const save = async (path: string, text: string, replacement: string): Promise<void> => {
  const before = reloads();
  restores.push(project.edit(path, text, replacement));
  await expect.poll(reloads, { timeout: 30_000 }).toBeGreaterThan(before);
};
afterEach(async () => {
  if (restores.length === 0) return;
  const before = reloads();
  for (const restore of restores.splice(0).reverse()) restore();
  await expect.poll(reloads, { timeout: 30_000 }).toBeGreaterThan(before);
});

/** In the function: whether it handles a request of these tests, and is not warming up. */
const isTestRequest = "event.rawQueryString === 'limit=7'";

/** Adds a statement to the function that runs for each request. */
const addToRespond = (statement: string): Promise<void> =>
  save(respondFile, findPrincipals, `${statement}\n  ${findPrincipals}`);

/** Makes the function respond with a text. */
const saveResponse = (text: string): Promise<void> =>
  addToRespond(`if (event !== null) return { statusCode: 200, body: '<${text}>' };`);

const head = (headers: Readonly<Record<string, string>> = {}): string =>
  [
    'GET /plants?limit=7 HTTP/1.1',
    ...Object.entries({ host: 'localhost', authorization, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '\r\n',
  ].join('\r\n');

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A connection to the gateway, with what it has received. */
const newConnection = () => {
  const { port } = new URL(service.baseUrl);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  open.push(socket);
  let received = '';
  socket.on('data', (text: string) => {
    received += text;
  });
  return { socket, received: () => received };
};

describe('npm start, after a save,', () => {
  it('runs the new code for connections that were opened before it, used or not', async () => {
    const unused = newConnection();
    const used = newConnection();
    used.socket.write(head());
    await expect.poll(used.received).toContain('Aloe vera');
    await saveResponse('new');
    for (const { socket, received } of [unused, used]) {
      socket.write(head());
      await expect.poll(received).toMatch(/<new>$/);
    }
  });

  it('runs the new code for a body that arrives when the previous process has ended', async () => {
    const { socket, received } = newConnection();
    const workers = workersOf(service);
    socket.write(`${head({ 'content-length': '4' })}fe`);
    await delay(500);
    await saveResponse('new');
    await expect.poll(() => workers.filter(isRunning)).toEqual([]);
    socket.write('rn');
    await expect.poll(received).toMatch(/ 200 OK\r[^]*<new>$/);
  });

  it('responds to each of 20 pipelined requests, sent in parts around the save', async () => {
    const { socket, received } = newConnection();
    const requests = head().repeat(20);
    socket.write(requests.slice(0, 5000));
    await saveResponse('new');
    socket.write(requests.slice(5000));
    await expect.poll(() => received().match(/ 200 OK/g)).toHaveLength(20);
    expect(received()).toMatch(/<new>$/);
  });

  it('lets a function of the previous version finish', async () => {
    await addToRespond(`if (${isTestRequest}) await new Promise((resolve) => setTimeout(resolve, 4000));`);
    const workers = workersOf(service);
    const { socket, received } = newConnection();
    socket.write(head());
    await delay(500);
    await saveResponse('new');
    await expect.poll(received, { timeout: 10_000 }).toContain('Aloe vera');
    await expect.poll(() => workers.filter(isRunning)).toEqual([]);
  });

  it('asks a changed authorizer about tokens that the previous one allowed', async () => {
    expect((await send(service.baseUrl, '/plants', { authorization })).status).toBe(200);
    const decide = 'authorize(dependencies, event)';
    await save('functions/authorizer/handler.ts', decide, `${decide}.then(() => ({ isAuthorized: false }))`);
    expect((await send(service.baseUrl, '/plants', { authorization })).status).toBe(403);
  });

  it('loses no request, whenever it is sent', async () => {
    const failed: unknown[] = [];
    let isSaving = true;
    const requests = async (): Promise<void> => {
      while (isSaving) {
        const result = await exchange(service.baseUrl, '/plants', { authorization }).catch(String);
        if (typeof result === 'string' || result.status !== 200) failed.push(result);
      }
    };
    const clients = [requests(), requests(), requests()];
    for (const text of ['one', 'two', 'three']) {
      await saveResponse(text);
      restores.splice(0).forEach((restore) => {
        restore();
      });
    }
    isSaving = false;
    await Promise.all(clients);
    expect(failed).toEqual([]);
    // The last restored version is loaded by one more save.
    restores.push(() => {
      project.touch(respondFile);
    });
  });
});

describe('npm start prints an unexpected error of', () => {
  /** What is printed for a request. */
  const printedFor = async (status: number): Promise<string> => {
    const before = service.command.output().length;
    const printed = (): string => service.command.output().slice(before);
    expect((await send(service.baseUrl, '/plants?limit=7', { authorization })).status).toBe(status);
    await expect.poll(printed).toContain(`GET /plants ${String(status)}`);
    return printed();
  };
  const longestLine = (text: string): number => Math.max(...text.split('\n').map(({ length }) => length));

  it('an operation with its message, its cause and its place, in lines', async () => {
    const failing = 'functions/plant-store/list-page.ts';
    const statement = "throw new TypeError('The fern is dry.', { cause: new RangeError('No\\nwater.') });";
    const [anchor = ''] = /^ +const .+;$/m.exec(readFileSync(join(project.folder, failing), 'utf8')) ?? [];
    await save(failing, anchor, `  if (Date.now() > 0) ${statement}\n${anchor}`);
    const lines = readFileSync(join(project.folder, failing), 'utf8').split('\n');
    const place = `${failing}:${String(1 + lines.findIndex((line) => line.includes(statement)))}:`;
    const printed = await printedFor(400);
    const [entry = '{}'] = /^\{.*\}$/m.exec(printed) ?? [];
    const message = { event: 'request-failed', error: 2000, cause: 'TypeError', version: 'unknown' };
    expect(JSON.parse(entry)).toMatchObject({ level: 'ERROR', message });
    expect(entry).toMatch(/"timestamp":"\d{4}-[^"]*Z".*"requestId":"[\w-]{36}"/);
    expect(printed).toContain(`\nTypeError: The fern is dry.\n    at `);
    expect(printed).toContain(`\nCaused by RangeError: No\nwater.\n    at `);
    expect(printed.split(place)).toHaveLength(3);
    expect(longestLine(printed)).toBeLessThan(300);
  });

  it('the store with the message of DynamoDB', async () => {
    await save(
      'functions/plant-store/dynamodb-plant-store.ts',
      'primaryKey.partitionKey} = :principal',
      'primaryKey.sortKey} = :principal',
    );
    const printed = await printedFor(400);
    expect(printed).toMatch(/^Error \[ValidationException\]: ValidationException$/m);
    expect(printed).toMatch(/^Caused by Error: Query condition missed key schema element/m);
  });

  it('the authorizer with its message and its place, in lines', async () => {
    const decide = 'authorize(dependencies, event)';
    const handler = 'functions/authorizer/handler.ts';
    await save(
      handler,
      `(event: AuthorizerEvent) =>\n  ${decide}`,
      `(event: AuthorizerEvent) =>\n  { if (event) throw new Error('The fern is dry.'); return ${decide}; }`,
    );
    const printed = await printedFor(500);
    expect(printed).toMatch(
      /^Error: The fern is dry\.\n    at .*functions\/authorizer\/handler\.ts:\d+:\d+\)?$/m,
    );
    expect(longestLine(printed)).toBeLessThan(300);
  });

  it('code that no request waits for, and keeps running', async () => {
    const later = "setTimeout(() => { throw new Error('The fern is dry.'); }, 0)";
    await addToRespond(`if (${isTestRequest}) ${later};`);
    await printedFor(200);
    await expect.poll(service.command.output).toMatch(/^Error: The fern is dry\.\n    at .*respond\.ts/m);
    await printedFor(200);
  });
});

it('npm start holds little of a body of 300 MB, and refuses it with and without a token', async () => {
  const { pid } = service.command.process;
  const peak = (): number =>
    Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1000;
  const post = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      const sent = request(`${service.baseUrl}/plants`, { headers: chunked }, (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode);
        });
      }).on('error', reject);
      const part = Buffer.alloc(1_000_000, 'a');
      Readable.from(Array<Buffer>(300).fill(part)).pipe(sent);
    });
  const before = peak();
  expect(await post({ origin: 'https://attacker.example' })).toBe(401);
  expect(await post({ authorization })).toBe(413);
  expect(peak() - before).toBeLessThan(100);
  expect((await send(service.baseUrl, '/plants', { authorization })).status).toBe(200);
});

/** The processes of the functions. */
const workersOf = ({ command }: LocalService): readonly number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(command.process.pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number);

/** Whether a process runs; a zombie (Z) has ended. */
const isRunning = (pid: number): boolean => {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
};

describe.each([
  { when: 'while it handles a request', statement: findPrincipals, loads: true },
  { when: 'while it is loaded', statement: 'export const respond', loads: false },
])('a function in an endless loop $when', ({ statement, loads }) => {
  it('ends when npm start is killed', async () => {
    const restore = project.edit(respondFile, statement, `for (;;);\n${statement}`);
    const { socket } = newConnection();
    if (loads) await expect.poll(reloads).toBeGreaterThan(0);
    await delay(1000);
    socket.write(head());
    await delay(1000);
    const workers = workersOf(service).filter(isRunning);
    expect(workers).not.toEqual([]);
    service.command.process.kill('SIGKILL');
    await expect.poll(() => workers.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    restore();
    await service.command.ended;
    await restart();
  });
});

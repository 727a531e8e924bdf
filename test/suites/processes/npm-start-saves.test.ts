// Tests requests while sources are saved: the gateway keeps its connections, and a new process replaces the
// one that runs the functions. Also tests how unexpected errors are printed.
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
/** The statement of `respond` before which tests add statements. */
const findPrincipals = 'const principals = principalsOf(event, now());';
/** Undo the saves of a test. */
const restores: (() => void)[] = [];
/** How often the functions were reloaded. */
const reloads = (): number => service.command.output().split('The functions were reloaded.').length - 1;
/** Changes files, and waits until the functions are reloaded. */
const reloadAfter = async (change: () => void): Promise<void> => {
  const before = reloads();
  change();
  await expect.poll(reloads, { timeout: 30_000 }).toBeGreaterThan(before);
};
/** Saves a change, and waits until it is loaded. The change is undone after the test. */
const save = (path: string, text: string, replacement: string): Promise<void> =>
  reloadAfter(() => {
    restores.push(project.edit(path, text, replacement));
  });
/** Undoes all saves, and waits until the restored files are loaded. */
const restoreFiles = async (): Promise<void> => {
  if (restores.length === 0) return;
  await reloadAfter(() => {
    for (const restore of restores.splice(0).reverse()) restore();
  });
};
afterEach(restoreFiles);

/** Code of a condition in the function: true for requests of these tests, false for the warm-up. */
const testRequestCondition = "event.rawQueryString === 'limit=7'";

/** Adds a statement to the function that runs for each request. */
const addToRespond = (statement: string): Promise<void> =>
  save(respondFile, findPrincipals, `${statement}\n  ${findPrincipals}`);

/** Makes the function respond with a text. */
const saveResponse = (text: string): Promise<void> =>
  addToRespond(`if (event !== null) return { statusCode: 200, body: '<${text}>' };`);

/** The lines of a request up to its body. */
const requestHead = (headers: Readonly<Record<string, string>> = {}): string =>
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

describe('npm start, when a source is saved,', () => {
  it('runs the new code on connections that were opened before, with and without requests', async () => {
    const withoutRequest = newConnection();
    const withRequest = newConnection();
    withRequest.socket.write(requestHead());
    await expect.poll(withRequest.received).toContain('Aloe vera');
    await saveResponse('new');
    for (const { socket, received } of [withoutRequest, withRequest]) {
      socket.write(requestHead());
      await expect.poll(received).toMatch(/<new>$/);
    }
  });

  it('runs the new code for a request whose body arrives after the previous process has ended', async () => {
    const { socket, received } = newConnection();
    const workers = workersOf(service);
    socket.write(`${requestHead({ 'content-length': '4' })}fe`);
    await delay(500);
    await saveResponse('new');
    await expect.poll(() => workers.filter(isRunning)).toEqual([]);
    socket.write('rn');
    await expect.poll(received).toMatch(/ 200 OK\r[^]*<new>$/);
  });

  it('responds to 20 pipelined requests, of which some are sent before and some after the save', async () => {
    const { socket, received } = newConnection();
    const requests = requestHead().repeat(20);
    socket.write(requests.slice(0, 5000));
    await saveResponse('new');
    socket.write(requests.slice(5000));
    await expect.poll(() => received().match(/ 200 OK/g)).toHaveLength(20);
    expect(received()).toMatch(/<new>$/);
  });

  it('lets the previous version finish a request, and ends its process then', async () => {
    await addToRespond(
      `if (${testRequestCondition}) await new Promise((resolve) => setTimeout(resolve, 4000));`,
    );
    const workers = workersOf(service);
    const { socket, received } = newConnection();
    socket.write(requestHead());
    await delay(500);
    await saveResponse('new');
    await expect.poll(received, { timeout: 10_000 }).toContain('Aloe vera');
    await expect.poll(() => workers.filter(isRunning)).toEqual([]);
  });

  it('denies with a changed authorizer a token that the previous one allowed', async () => {
    expect((await send(service.baseUrl, '/plants', { authorization })).status).toBe(200);
    const decide = 'authorize(dependencies, event)';
    await save('functions/authorizer/handler.ts', decide, `${decide}.then(() => ({ isAuthorized: false }))`);
    expect((await send(service.baseUrl, '/plants', { authorization })).status).toBe(403);
  });

  it('responds with 200 to every request of three clients during six reloads', async () => {
    const failures: unknown[] = [];
    let isSaving = true;
    const sendRequests = async (): Promise<void> => {
      while (isSaving) {
        const result = await exchange(service.baseUrl, '/plants', { authorization }).catch(String);
        if (typeof result === 'string' || result.status !== 200) failures.push(result);
      }
    };
    const clients = [sendRequests(), sendRequests(), sendRequests()];
    for (const text of ['one', 'two', 'three']) {
      await saveResponse(text);
      await restoreFiles();
    }
    isSaving = false;
    await Promise.all(clients);
    expect(failures).toEqual([]);
  });
});

describe('npm start prints an unexpected error of', () => {
  /** Sends a request, and returns what npm start prints for it. */
  const printedFor = async (status: number): Promise<string> => {
    const before = service.command.output().length;
    const printed = (): string => service.command.output().slice(before);
    expect((await send(service.baseUrl, '/plants?limit=7', { authorization })).status).toBe(status);
    await expect.poll(printed).toContain(`GET /plants ${String(status)}`);
    return printed();
  };
  const longestLine = (text: string): number => Math.max(...text.split('\n').map(({ length }) => length));

  it('an operation with its message, its cause and file:line, on separate lines', async () => {
    const failingFile = 'functions/plant-store/list-page.ts';
    const statement = "throw new TypeError('The fern is dry.', { cause: new RangeError('No\\nwater.') });";
    const readFailingFile = (): string => readFileSync(join(project.folder, failingFile), 'utf8');
    const [firstConst = ''] = /^ +const .+;$/m.exec(readFailingFile()) ?? [];
    await save(failingFile, firstConst, `  if (Date.now() > 0) ${statement}\n${firstConst}`);
    const lines = readFailingFile().split('\n');
    const place = `${failingFile}:${String(1 + lines.findIndex((line) => line.includes(statement)))}:`;
    const printed = await printedFor(400);
    const [entry = '{}'] = /^\{.*\}$/m.exec(printed) ?? [];
    const message = { event: 'request-failed', error: 2000, cause: 'TypeError', version: 'unknown' };
    expect(JSON.parse(entry)).toMatchObject({ level: 'ERROR', message });
    expect(entry).toMatch(/"timestamp":"\d{4}-[^"]*Z".*"requestId":"[\w-]{36}"/);
    expect(printed).toContain(`\nTypeError: The fern is dry.\n    at `);
    expect(printed).toContain(`\nCaused by RangeError: No\nwater.\n    at `);
    // The message and the cause have the same place.
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

  it('the authorizer with its message and file:line, on separate lines', async () => {
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

  it('code that runs after the response, and npm start keeps running', async () => {
    const failLater = "setTimeout(() => { throw new Error('The fern is dry.'); }, 0)";
    await addToRespond(`if (${testRequestCondition}) ${failLater};`);
    await printedFor(200);
    await expect.poll(service.command.output).toMatch(/^Error: The fern is dry\.\n    at .*respond\.ts/m);
    await printedFor(200);
  });
});

it('npm start refuses a body of 300 MB with 401 or 413, and takes less than 100 MB for it', async () => {
  const { pid } = service.command.process;
  /** The most memory that the process took, in MB. */
  const peakMemory = (): number =>
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
  const before = peakMemory();
  expect(await post({ origin: 'https://attacker.example' })).toBe(401);
  expect(await post({ authorization })).toBe(413);
  expect(peakMemory() - before).toBeLessThan(100);
  expect((await send(service.baseUrl, '/plants', { authorization })).status).toBe(200);
});

/** The ids of the processes that run the functions. */
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
  { when: 'while it handles a request', loopBefore: findPrincipals, canBeLoaded: true },
  { when: 'while it is loaded', loopBefore: 'export const respond', canBeLoaded: false },
])('a function in an endless loop $when', ({ loopBefore, canBeLoaded }) => {
  it('ends when npm start is killed', async () => {
    const restore = project.edit(respondFile, loopBefore, `for (;;);\n${loopBefore}`);
    const { socket } = newConnection();
    if (canBeLoaded) await expect.poll(reloads).toBeGreaterThan(0);
    await delay(1000);
    socket.write(requestHead());
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

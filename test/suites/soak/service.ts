import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { z } from 'zod';
import { readKey } from '../../../local/issuer/issuer.ts';
import { issuerOf } from '../../support/issuer.ts';
import type { LocalService, ProjectCopy } from '../../support/service/local-service.ts';
import { exchange, parseResponses } from '../../support/raw-http.ts';
import { localKeyFrom } from '../../support/tokens.ts';
import { type Kind, mixOf } from './mix.ts';
import { groupUsage } from './process/process-group.ts';
import type { Target } from './soak.ts';

/** What a response says: its status, and how many plants it has or what its Error body's `error` is. */
type Expected = readonly [status: number, content?: number];

/** A kind of request to the service. */
interface ServiceKind extends Kind {
  readonly what: string;
  readonly send: () => Promise<unknown>;
  readonly expected: unknown;
}

const errorBody = z.object({ error: z.number() });

/** The plants of the sample user bob. */
const bobsPlants = 9;
/** Plants of a list that is compressed. */
export const longList = { subject: 'long', plants: 1000 } as const;

/** Makes `npm start` collect its garbage when it is measured. */
export const collectGarbage = ({ edit }: ProjectCopy): void => {
  const preload = fileURLToPath(new URL('process/collect-garbage.ts', import.meta.url));
  edit('package.json', 'node local/main.ts', `node --expose-gc --import ${preload} local/main.ts`);
};

/** `npm start` under a mix of requests; connections stay open. */
export const localService = ({ baseUrl, issuer, audience, keyFile, command }: LocalService): Target => {
  const { token } = issuerOf(localKeyFrom(readKey(keyFile)), issuer, audience);
  const lasting = token({ claims: { sub: 'bob', exp: Date.now() / 1000 + 24 * 3600 } });
  const long = token({ claims: { sub: longList.subject, exp: Date.now() / 1000 + 24 * 3600 } });
  const bearer = (text: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${text}` });

  const get = async (
    target: string,
    headers = bearer(lasting),
    more: RequestInit = {},
  ): Promise<Expected> => {
    const response = await fetch(`${baseUrl}${target}`, { headers, ...more });
    const body: unknown = await response.json();
    if (Array.isArray(body)) return [response.status, body.length];
    const { data } = errorBody.safeParse(body);
    return data === undefined ? [response.status] : [response.status, data.error];
  };
  const raw = async (text: string, leave = false): Promise<readonly number[]> =>
    parseResponses(await exchange(baseUrl, text, leave)).map(({ status }) => status);
  const abandoned = async (): Promise<string> => {
    const controller = new AbortController();
    const response = get('/plants', bearer(long), { signal: controller.signal }).catch((error: unknown) =>
      error instanceof Error ? error.name : 'no error',
    );
    setImmediate(() => {
      controller.abort();
    });
    return String(await response);
  };

  const list = { what: 'a list', send: () => get('/plants'), expected: [200, bobsPlants] };
  const kindOf = mixOf<ServiceKind>([
    { share: 70, ...list },
    { share: 40, what: 'a page', send: () => get('/plants?limit=2'), expected: [200, 2] },
    {
      share: 20,
      what: 'a new token',
      send: () => get('/plants', bearer(token({ claims: { sub: 'bob', jti: crypto.randomUUID() } }))),
      expected: [200, bobsPlants],
    },
    {
      share: 10,
      what: 'a long list',
      send: () => get('/plants', bearer(long)),
      expected: [200, longList.plants],
    },
    {
      share: 5,
      what: 'large headers',
      send: () => get('/plants', { ...bearer(lasting), fill: 'x'.repeat(8000) }),
      expected: [200, bobsPlants],
    },
    { share: 10, what: 'a bad limit', send: () => get('/plants?limit=x'), expected: [400, 1001] },
    { share: 5, what: 'a bad cursor', send: () => get('/plants?cursor=x'), expected: [400, 1002] },
    { share: 10, what: 'no token', send: () => get('/plants', {}), expected: [401] },
    { share: 10, what: 'a bad token', send: () => get('/plants', bearer('x')), expected: [403] },
    {
      share: 5,
      what: 'a new bad token',
      send: () => get('/plants', bearer(crypto.randomUUID())),
      expected: [403],
    },
    { share: 5, what: 'an unknown path', send: () => get('/unknown'), expected: [404] },
    {
      share: 4,
      what: 'a body',
      send: () => get('/plants', {}, { method: 'POST', body: 'x'.repeat(100_000) }),
      expected: [404],
    },
    {
      share: 2,
      what: 'malformed HTTP',
      send: () => raw('\0'.repeat(100)),
      expected: [400],
    },
    {
      share: 2,
      what: 'half a request',
      send: () => raw('GET /plants HTTP/1.1\r\nHo', true),
      expected: [400],
    },
    { share: 2, what: 'an abandoned request', send: abandoned, expected: 'AbortError' },
  ]);

  let measured = 0;
  return {
    send: async (index) => {
      const { what, send, expected } = kindOf(index);
      expect(await send(), what).toEqual(expected);
    },
    measure: async () => {
      // Connections that were closed are still open on the other side for a moment.
      await delay(100);
      const group = command.process.pid ?? 0;
      const { sockets } = groupUsage(group);
      measured += 1;
      const [, pid] = /Process (\d+) collects garbage/.exec(command.output()) ?? [];
      process.kill(Number(pid), 'SIGUSR2');
      const line = `Heap ${String(measured)}: `;
      await command.printed(line);
      const heap = Number.parseInt(command.output().split(line)[1] ?? '', 10);
      const warnings = command.output().match(/\w+Warning: /g)?.length ?? 0;
      const { rss } = groupUsage(group);
      return { rss, heap, sockets, timers: NaN, listeners: NaN, warnings };
    },
  };
};

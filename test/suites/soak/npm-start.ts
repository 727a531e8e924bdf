import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readKey } from '../../../local/issuer/issuer.ts';
import { samplePlants } from '../../../local/store/sample-plants.ts';
import { issuerOf } from '../../support/issuer.ts';
import { exchange, parseResponses } from '../../support/raw-http.ts';
import { type LocalService, type ProjectCopy, startService } from '../../support/service/local-service.ts';
import { localKeyFrom } from '../../support/tokens.ts';
import { contentOf, type Target } from './soak.ts';

/** Runs `npm start` with a server in its process that measures its heap. */
export const startMeasured = (project: ProjectCopy): Promise<LocalService> => {
  const preload = fileURLToPath(new URL('measured-process.ts', import.meta.url));
  project.edit('package.json', 'node local/main.ts', `node --import ${preload} local/main.ts`);
  return startService(project);
};

/** `npm start` under good and bad requests. All are in flight at once, so a tenth as often. */
export const npmStart = ({ baseUrl, issuer, audience, keyFile, command, stop }: LocalService): Target => {
  const { token } = issuerOf(localKeyFrom(readKey(keyFile)), issuer, audience);
  const tokenOf = (more = {}): string => token({ claims: { sub: 'bob', exp: 4e9, ...more } });
  const plants = samplePlants.filter(({ principal }) => principal === 'user#bob').length;
  const lasting = tokenOf();
  const get = async (path: string, bearer = lasting, more: RequestInit = {}): Promise<readonly unknown[]> => {
    const headers = { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${baseUrl}${path}`, { headers, ...more });
    return [response.status, contentOf(await response.json())];
  };
  const raw = async (text: string): Promise<readonly number[]> =>
    parseResponses(await exchange(baseUrl, text, true)).map(({ status }) => status);
  /** Sends the first byte of 600 MB, and closes the connection: after the response, or before it. */
  const unfinished = async (path: string, before = false): Promise<unknown> => {
    const headers = { authorization: `Bearer ${lasting}`, 'content-length': 6e8 };
    const sent = request(`${baseUrl}${path}`, { headers });
    sent.write('x', () => before && sent.destroy());
    const received = await once(sent, 'response').catch(String);
    sent.destroy();
    return received[0] instanceof IncomingMessage ? [received[0].statusCode] : [received];
  };

  const requests: readonly (readonly [() => Promise<unknown>, ...unknown[]])[] = [
    [() => get('/plants'), 200, plants],
    [() => get('/plants?limit=2'), 200, 2],
    [() => get('/plants', tokenOf({ jti: crypto.randomUUID() })), 200, plants],
    [() => get('/plants', crypto.randomUUID()), 403, undefined],
    [() => get('/plants', '', { headers: {} }), 401, undefined],
    [() => get('/unknown', '', { method: 'POST', body: 'x'.repeat(100_000) }), 404, undefined],
    [() => unfinished('/unknown'), 404],
    [() => unfinished('/plants', true), 'Error: socket hang up'],
    [() => raw('GET /plants HTTP/1.1\r\nHo'), 400],
  ];
  return {
    send: async (index) => {
      if (index % 10 > 0) return;
      const received = await Promise.all(requests.map(([send]) => send()));
      expect(received).toEqual(requests.map(([, ...expected]) => expected));
    },
    heap: async () => {
      const [, url = ''] = /^Heap: (.+)$/m.exec(command.output()) ?? [];
      return Number(await (await fetch(url)).text());
    },
    end: stop,
  };
};

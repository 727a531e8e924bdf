import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { plants } from '../support/plants-command.ts';
import { itemOf } from '../../table/item.ts';

const pages = 55;
const page = Array.from({ length: 1000 }, (_each, number) =>
  itemOf('user#alice', { id: String(number), name: 'Rose' }),
);

/** A table of 55,000 plants, which are all the same 1,000. */
let store: Server;
let endpoint: string;
beforeAll(async () => {
  let read = 0;
  store = createServer((_request, response) => {
    read += 1;
    const last = page.at(-1);
    const next = read < pages && last && { principal: last.principal, sortKey: last.sortKey };
    response.end(JSON.stringify({ Items: page, ...(next && { LastEvaluatedKey: next }) }));
  });
  endpoint = await startServer(store);
});
afterAll(() => stopServer(store));

it('plants list of everyone says every 50,000 rows how far it is, apart from the rows', async () => {
  const { code, output, messages } = await plants(['list', '--table', 'plants', '--endpoint', endpoint]);
  expect([code, output.trimEnd().split('\n').length]).toEqual([0, pages * page.length + 1]);
  expect(messages).toEqual([expect.stringMatching(/^50,000 rows, [\d,]+ rows\/s$/)]);
});

import { createServer, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { itemOf } from '../../../../table/item.ts';
import { nobody } from '../../../../table/principal.ts';

/** DynamoDB's limit for a page is 1 MB: 1,100 plants with tags of this size. */
const plantsPerPage = 1100;
const longTag = 'x'.repeat(900);

/** A Query as this store reads it. */
interface Query {
  readonly principal: string;
  /** The index of the first plant wanted. */
  readonly first: number;
  readonly limit: number;
}

/** Responds to a Query, or does not. */
type Respond = (query: Query, response: ServerResponse) => void;

/** The name of the plant with this index, in the list of a principal. */
export const plantName = (index: number, principal: string): string =>
  `${String(index).padStart(6, '0')} ${principal}`;

const send = (response: ServerResponse, status: number, body: string | Buffer): void => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
};

const longPages = new Map<string, Buffer>();

/** Responds with a list of this many plants, of which the first are damaged. */
const list =
  (count: number, tag?: string, damaged = 0): Respond =>
  ({ principal, first, limit }, response) => {
    const end = Math.min(count, first + Math.min(limit, plantsPerPage));
    const page = (): string => {
      const items = Array.from({ length: end - first }, (_, offset) => {
        const item = itemOf(`user#${principal}`, {
          id: '1',
          name: plantName(first + offset, principal),
          ...(tag !== undefined && { tag }),
        });
        return first + offset < damaged ? { ...item, name: { S: 'another' } } : item;
      });
      const { principal: key, sortKey } = { ...items.at(-1) };
      const rest = end < count ? { LastEvaluatedKey: { principal: key, sortKey } } : {};
      return JSON.stringify({ Count: items.length, ScannedCount: items.length, Items: items, ...rest });
    };
    if (count <= plantsPerPage) {
      send(response, 200, page());
      return;
    }
    const key = [principal, first, end].join();
    const known = longPages.get(key) ?? Buffer.from(page());
    longPages.set(key, known);
    send(response, 200, known);
  };

const fail =
  (status: number, type: string): Respond =>
  (_query, response) => {
    send(response, status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` }));
  };

const reset: Respond = (_query, response) => response.socket?.resetAndDestroy();

const cut: Respond = (_query, response) => {
  response.writeHead(200, { 'content-length': 1000 }).write('{"Items":[', () => response.destroy());
};

const endless: Respond = (_query, response) => {
  const part = Buffer.alloc(256 * 1024, ' ');
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.writeHead(200).on('drain', write);
  write();
};

const silent: Respond = () => undefined;

const short = list(5);
const long = list(4 * plantsPerPage, longTag);

/** What fails at the first attempt only. */
const once = (respond: Respond): Respond => {
  const failed = new Set<string>();
  return (query, response) => {
    if (failed.delete(query.principal)) {
      short(query, response);
    } else {
      failed.add(query.principal);
      respond(query, response);
    }
  };
};

/** What happens to a Query, by the beginning of its principal's name. */
const behaviours = {
  /** The Query of a warm-up. */
  [nobody]: list(0),
  short,
  medium: list(300, 'tree'),
  /** 4, 7 and 25 MB. */
  long,
  huge: list(7 * plantsPerPage, longTag),
  vast: list(25 * plantsPerPage, longTag),
  damaged: list(5, undefined, 2),
  throttledOnce: once(fail(400, 'ThrottlingException')),
  throttled: fail(400, 'ProvisionedThroughputExceededException'),
  failsOnce: once(fail(500, 'InternalServerError')),
  fails: fail(500, 'InternalServerError'),
  denied: fail(400, 'AccessDeniedException'),
  resetOnce: once(reset),
  reset,
  cutOnce: once(cut),
  cut,
  html: (_query, response) => {
    send(response, 200, '<html></html>');
  },
  endless,
  silent,
  /** Stops at the third page. */
  stalls: (query, response) => {
    (query.first < 2 * plantsPerPage ? long : silent)(query, response);
  },
} as const satisfies Readonly<Record<string, Respond>>;

export type Behaviour = keyof typeof behaviours;

const isBehaviour = (name: string): name is Behaviour => name in behaviours;

const querySchema = z.object({
  ExpressionAttributeValues: z.object({
    ':principal': z.object({ S: z.string() }),
    ':after': z.object({ S: z.string() }).optional(),
  }),
  Limit: z.number().default(Infinity),
});

/** A store that behaves as the principal of each Query says: `user#<behaviour> <anything>`. */
export const faultyStore = (): Server =>
  createServer((request, response) => {
    void text(request).then(
      (body) => {
        const { ExpressionAttributeValues: values, Limit: limit } = querySchema.parse(JSON.parse(body));
        const principal = values[':principal'].S.replace(/^\w+#/, '');
        const [behaviour = ''] = principal.split(' ');
        if (!isBehaviour(behaviour)) throw new Error(`There is no behaviour ${behaviour}.`);
        const after = values[':after']?.S;
        const first = after === undefined ? 0 : Number.parseInt(after, 10) + 1;
        behaviours[behaviour]({ principal, first, limit }, response);
      },
      // The function gave up before its request was complete.
      () => response.destroy(),
    );
  });

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  dynamoDbClient,
  type DynamoDbClient,
  storeBounds,
} from '../../../../functions/list-plants/dynamodb/client.ts';
import { DynamoDbError } from '../../../../functions/list-plants/dynamodb/query.ts';

const input = {
  TableName: 'Plants',
  KeyConditionExpression: 'principal = :principal',
  ExpressionAttributeValues: { ':principal': { S: 'user#Ökobaum 水' } },
  ProjectionExpression: 'sortKey',
  ExpressionAttributeNames: {},
};
const region = 'eu-central-1';
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const { signal } = new AbortController();

describe('a Query', () => {
  let requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
  let connections = 0;
  let respond: (response: ServerResponse) => void;
  let endpoint: string;
  let query: DynamoDbClient['query'];

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        requests.push({ request, body: Buffer.concat(parts).toString() });
        respond(response);
      });
  }).on('connection', () => {
    connections += 1;
  });
  const answer = (response: ServerResponse): void => {
    response.end('{"Items":[]}');
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${String(z.object({ port: z.number() }).parse(server.address()).port)}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    requests = [];
    connections = 0;
    respond = answer;
    ({ query } = dynamoDbClient({ region, credentials, endpoint }));
  });

  it('is sent as DynamoDB’s own protocol has it', async () => {
    await query(input, signal);
    const [{ request, body } = {}] = requests;
    expect(JSON.parse(body ?? '')).toEqual(input);
    expect([request?.method, request?.url]).toEqual(['POST', '/']);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.Query',
      host: endpoint.replace('http://', ''),
    });
  });

  it('is signed for the region and DynamoDB', async () => {
    await query(input, signal);
    const { authorization, ...headers } = requests[0]?.request.headers ?? {};
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/,
    );
    expect(headers['x-amz-date']).toMatch(/^\d{8}T\d{6}Z$/);
    expect(headers).not.toHaveProperty('x-amz-security-token');
  });

  it('carries the session token where the credentials have one', async () => {
    await dynamoDbClient({
      region,
      credentials: { ...credentials, sessionToken: 'session' },
      endpoint,
    }).query(input, signal);
    expect(requests[0]?.request.headers).toHaveProperty('x-amz-security-token', 'session');
  });

  it('goes over the connection of the one before', async () => {
    for (let count = 0; count < 3; count += 1) await query(input, signal);
    expect([requests.length, connections]).toEqual([3, 1]);
  });

  it('goes at once with a hundred others, without a warning', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error): void => {
      warnings.push(warning);
    };
    process.on('warning', collect);
    const held: ServerResponse[] = [];
    // Answers nobody before everybody asked.
    respond = (response) => {
      held.push(response);
      if (held.length === 101) held.forEach(answer);
    };
    await Promise.all(Array.from({ length: 101 }, () => query(input, signal)));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', collect);
    expect(warnings).toEqual([]);
  });

  it('gets its answer over a new connection when all that were kept have gone silent', async () => {
    const silent = new Set<unknown>();
    const held: ServerResponse[] = [];
    respond = (response) => {
      silent.add(response.socket);
      held.push(response);
      if (held.length === storeBounds.attempts) held.forEach(answer);
    };
    await Promise.all(Array.from({ length: storeBounds.attempts }, () => query(input, signal)));
    respond = (response) => {
      if (!silent.has(response.socket)) answer(response);
    };
    expect(await query(input, signal)).toEqual({ Items: [] });
  });

  it('is given up when the store answers without end', async () => {
    respond = (response) => {
      const send = (): void => {
        if (response.destroyed) return;
        response.write(' '.repeat(65_536));
        setImmediate(send);
      };
      send();
    };
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError('TooLarge', true));
  });

  it('is sent again, unchanged, after a failure that passes', async () => {
    respond = (response) => {
      respond = answer;
      response.writeHead(500).end();
    };
    expect(await query(input, signal)).toEqual({ Items: [] });
    expect(requests.map(({ body }) => body)).toEqual([JSON.stringify(input), JSON.stringify(input)]);
  });

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['Status500', 'the store fails', (response) => response.writeHead(500).end()],
    ['NoItems', 'the store answers something else', (response) => response.end('{}')],
    ['ECONNRESET', 'the store hangs up', ({ socket }) => void socket?.destroy()],
    [
      'ECONNRESET',
      'the store hangs up in the middle of its answer',
      (response) => {
        response
          .writeHead(200, { 'content-length': '12' })
          .write('{"Items":', () => response.socket?.destroy());
      },
    ],
  ])('is given up after three attempts, with %s, when %s', async (code, _, fail) => {
    respond = fail;
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError(code, true));
    expect(requests).toHaveLength(3);
  });

  it('is given up when nobody listens', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = z.object({ port: z.number() }).parse(other.address());
    await new Promise((resolve) => other.close(resolve));
    const { query: nowhere } = dynamoDbClient({
      region,
      credentials,
      endpoint: `http://127.0.0.1:${String(port)}`,
    });
    await expect(nowhere(input, signal)).rejects.toThrow(new DynamoDbError('ECONNREFUSED', true));
  });

  it('is sent once when it is refused for good', async () => {
    respond = (response) => response.writeHead(400).end('{"__type":"x#ValidationException"}');
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError('ValidationException', false));
    expect(requests).toHaveLength(1);
  });

  it('is not sent when its caller is gone already', async () => {
    await expect(query(input, AbortSignal.abort())).rejects.toThrow();
    expect(requests).toHaveLength(0);
  });

  it('is not sent again when its caller goes while it waits for an answer', async () => {
    const caller = new AbortController();
    respond = () => {
      caller.abort();
    };
    await expect(query(input, caller.signal)).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  it('is not sent again when its caller goes between two attempts', async () => {
    const jitter = vi.spyOn(Math, 'random').mockReturnValue(1);
    const caller = new AbortController();
    respond = (response) => {
      response.writeHead(400).end('{"__type":"ThrottlingException"}');
      setTimeout(() => {
        caller.abort();
      }, 50);
    };
    await expect(query(input, caller.signal)).rejects.toThrow();
    jitter.mockRestore();
    expect(requests).toHaveLength(1);
  });
});

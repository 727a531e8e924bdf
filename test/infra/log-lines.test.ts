import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { signedTokenDenials } from '../../functions/shared/log-events.ts';
import { startFunctions } from '../../local/lambda/functions.ts';
import { gatewayServer } from '../../local/gateway/gateway.ts';
import { issuerServer, jwksPath, readKey } from '../../local/issuer/issuer.ts';
import { listen, loopback } from '../../local/listen.ts';
import { readStack } from '../../local/stack/read-stack.ts';
import type { Stack } from '../../local/stack/stack.ts';
import { type ServiceResponse, send } from '../contract/client.ts';
import { item, key } from '../contract/plants.ts';
import { credentials, dynamoDbTable } from '../support/dynamodb-table.ts';
import { filterPattern, select } from '../support/filter-pattern.ts';
import { type Issuer, issuerOf } from '../support/issuer.ts';
import { copyProject, type LocalService, startService } from '../support/local-service.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';
import { rsaKey, rsaKeyFrom } from '../support/tokens.ts';

const nowhere = `http://${loopback}:1`;
/** A copy of the key set is current until it is five seconds old. */
const untilRefresh = 5100;
const known = { sub: 'secret-subject', groups: ['secret-group'] };

const prod = templateOf(stageNamed('prod'));
const filterSchema = z.object({
  FilterPattern: z.string(),
  LogGroupName: z.object({ Ref: z.string() }),
  MetricTransformations: z.tuple([z.object({ MetricName: z.string(), MetricValue: z.string() })]),
});
const filters = z
  .array(filterSchema)
  .parse(propertiesOf(prod, 'AWS::Logs::MetricFilter'))
  .map(({ FilterPattern, LogGroupName, MetricTransformations: [{ MetricName, MetricValue }] }) => ({
    metric: MetricName,
    logGroup: LogGroupName.Ref,
    matches: filterPattern(FilterPattern),
    value: (line: unknown) => (MetricValue.startsWith('$') ? select(line, MetricValue) : Number(MetricValue)),
  }));

/** The metrics that CloudWatch derives from a line, with the values that it adds to them. */
const counted = (line: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    filters.flatMap(({ metric, matches, value }) => (matches(line) ? [[metric, value(line)]] : [])),
  );

const project = copyProject();
let service: LocalService;
let stack: Stack;
let issuer: Issuer;
let printed = '';
const servers: Server[] = [];

const serve = async (server: Server): Promise<string> => {
  servers.push(server);
  return `http://${loopback}:${String(await listen(server, 0, 'PORT'))}`;
};

beforeAll(async () => {
  service = await startService(project);
  stack = readStack(join(project.folder, 'cdk.out'), 'PlantStore-local');
  issuer = issuerOf(rsaKeyFrom(readKey(service.keyFile)), service.issuer, service.audience);
  const table = dynamoDbTable(service.storeEndpoint, service.tableName);
  await table.put([
    item('user#secret-subject', 'Secret aloe', '1', 'secret-tag'),
    { ...key('group#secret-group', 'Secret rose', '2'), name: { N: '1' } },
    key('group#secret-group', 'Secret fern', '3'),
  ]);
  table.close();
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await service.stop();
  project.remove();
});

const lineSchema = z.looseObject({
  level: z.string(),
  message: z.looseObject({ event: z.string().optional() }),
});

/** The lines of requests. A warm-up that failed has a line as well, which no metric counts. */
const linesIn = (text: string): readonly z.infer<typeof lineSchema>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => lineSchema.parse(JSON.parse(line)))
    .filter((line) => {
      if (line.message.event !== 'warm-up-failed') return true;
      expect(counted(line)).toEqual({});
      return false;
    });

interface Run {
  readonly ask: (token: string, target?: string) => Promise<ServiceResponse>;
}

/**
 * Runs the functions with changes of their environment, such as another store.
 * @returns the lines in their log, once there are this many
 */
const linesOf = async (
  overrides: Readonly<Record<string, string>>,
  count: number,
  use: (run: Run) => Promise<void>,
): Promise<readonly z.infer<typeof lineSchema>[]> => {
  printed = '';
  const { api } = stack;
  const { invoke, retire } = startFunctions(stack.functions, {
    credentials,
    overrides: {
      AWS_ENDPOINT_URL_DYNAMODB: service.storeEndpoint,
      TOKEN_ISSUER: service.issuer,
      JWKS_URI: `${service.issuer}${jwksPath}`,
      ...overrides,
    },
    onLog: (line) => {
      printed += `${line}\n`;
    },
  });
  const baseUrl = await serve(gatewayServer(() => Promise.resolve({ api, invoke })));
  const tokens: string[] = [];
  try {
    await use({
      ask: (token, target = '/plants') => {
        tokens.push(token);
        return send(baseUrl, target, { authorization: `Bearer ${token}` });
      },
    });
    // A worker's log line may arrive after its response.
    await vi.waitUntil(() => linesIn(printed).length >= count, { timeout: 5000 });
  } finally {
    retire();
  }
  for (const text of ['secret', 'Secret', ...tokens.flatMap((token) => token.split('.'))]) {
    expect(printed).not.toContain(text);
  }
  return linesIn(printed);
};

/** A server that answers as DynamoDB would, after a delay. */
const store = (status: number, bodyOf: (request: number) => object, milliseconds = 0): Promise<string> => {
  let requests = 0;
  return serve(
    createServer((request, response) => {
      request.resume();
      requests += 1;
      const body = JSON.stringify(bodyOf(requests));
      void delay(milliseconds).then(() =>
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body),
      );
    }),
  );
};

describe('the log line of', () => {
  const refusal = { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'Secret' };
  const upTo = (request: number) => ({
    Items: [],
    LastEvaluatedKey: {
      principal: { S: 'user#secret-subject' },
      sortKey: { S: `Secret aloe ${String(request).padStart(4, '0')}\u00001` },
    },
  });
  it.each([
    { what: 'that the store refuses', endpoint: () => store(400, () => refusal), error: 2000 },
    {
      what: 'that fails because the store is down',
      endpoint: () => nowhere,
      error: 2001,
      cause: 'ECONNREFUSED',
    },
    {
      what: 'whose list takes too long',
      endpoint: () => store(200, upTo, 1500),
      error: 2002,
    },
  ])('a request $what is counted as retryable', async ({ endpoint, error, cause }) => {
    const changes = { AWS_ENDPOINT_URL_DYNAMODB: await endpoint() };
    const [line, ...others] = await linesOf(changes, 1, async ({ ask }) => {
      expect(await ask(issuer.token({ claims: known }))).toMatchObject({ status: 400, body: { error } });
    });
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      level: 'ERROR',
      message: { event: 'request-failed', error, ...(cause !== undefined && { cause }) },
    });
    expect(counted(line)).toEqual({ RetryableErrors: 1 });
  });

  it('a list with damaged items counts each of them', async () => {
    const [line, ...others] = await linesOf({}, 1, async ({ ask }) => {
      expect((await ask(issuer.token({ claims: known }))).body).toEqual([
        { name: 'Secret aloe', tag: 'secret-tag' },
      ]);
    });
    expect(others).toEqual([]);
    expect(line).toMatchObject({ level: 'ERROR', message: { event: 'damaged-items', count: 2 } });
    expect(counted(line)).toEqual({ DamagedItems: 2 });
  });

  it('a failed refresh of the keys is counted, and a caller with an unknown key is not', async () => {
    const fleeting = issuerServer(readKey(service.keyFile));
    const url = await serve(fleeting);
    const unknown = rsaKey('unknown\u001b[2K');
    const lines = await linesOf({ JWKS_URI: `${url}${jwksPath}` }, 4, async ({ ask }) => {
      expect((await ask(issuer.token({ claims: { sub: 'nobody' } }))).status).toBe(200);
      expect((await ask(issuer.token({ key: unknown }))).status).toBe(403);
      await delay(untilRefresh);
      fleeting.closeAllConnections();
      await new Promise((resolve) => fleeting.close(resolve));
      expect((await ask(issuer.token({ key: unknown }))).status).toBe(500);
    });
    expect(lines).toMatchObject([
      { level: 'INFO', message: { event: 'denied', reason: 'unknown-key', kid: 'unknown?[2K' } },
      { level: 'WARN', message: { event: 'key-set-refresh-failed', cause: 'ECONNREFUSED' } },
      { level: 'ERROR', message: { event: 'undecided', cause: 'JwksUnavailable' } },
      { level: 'ERROR', message: { name: 'JwksUnavailable' } },
    ]);
    expect(lines.map(counted)).toEqual([{ Denials: 1 }, { KeySetFailures: 1 }, {}, {}]);
  });

  it('an authorizer that cannot decide gives the reason and is counted once by its line and once by Lambda', async () => {
    const lines = await linesOf({ JWKS_URI: nowhere }, 3, async ({ ask }) => {
      expect((await ask(issuer.token({ claims: known }))).status).toBe(500);
    });
    expect(lines).toMatchObject([
      { level: 'ERROR', message: { event: 'key-set-unavailable', cause: 'ECONNREFUSED' } },
      { level: 'ERROR', message: { event: 'undecided', cause: 'JwksUnavailable' } },
      { level: 'ERROR', message: { name: 'JwksUnavailable' } },
    ]);
    expect(lines.map(counted)).toEqual([{ KeySetFailures: 1 }, {}, {}]);
  });

  it('a request that its caller can fix is not counted, and a successful one has no line', async () => {
    const lines = await linesOf({}, 2, async ({ ask }) => {
      const token = issuer.token({ claims: { sub: 'nobody' } });
      expect((await ask(token)).status).toBe(200);
      expect((await ask(token, '/plants?limit=x')).body).toMatchObject({ error: 1001 });
      expect((await ask(issuer.token({ claims: { ...known, aud: 'others' } }))).status).toBe(403);
    });
    const byEvent = lines.toSorted((a, b) => String(a.message.event).localeCompare(String(b.message.event)));
    expect(byEvent).toMatchObject([
      { level: 'INFO', message: { event: 'denied', reason: 'audience' } },
      { level: 'INFO', message: { event: 'request-failed', error: 1001 } },
    ]);
    expect(byEvent.map(counted)).toEqual([{ Denials: 1, DeniedCallers: 1 }, {}]);
  });
});

describe('a log line', () => {
  it.each<[string, object, object]>([
    ['a denial of a made-up token', { event: 'denied', reason: 'signature' }, { Denials: 1 }],
    ['a denial of an expired token', { event: 'denied', reason: 'lifetime' }, { Denials: 1 }],
    ['a failed warm-up', { event: 'warm-up-failed', cause: 'Timeout' }, {}],
  ])('of %s is counted as it should', (_, message, metrics) => {
    expect(counted({ message })).toEqual(metrics);
  });

  it.each(signedTokenDenials.filter((reason) => reason !== 'lifetime'))(
    'of a denial of a current token that the issuer signed is counted as such: %s',
    (reason) => {
      expect(counted({ message: { event: 'denied', reason } })).toEqual({ Denials: 1, DeniedCallers: 1 });
    },
  );
});

describe('a metric filter reads the log of the function that writes the lines', () => {
  it.each([
    ['RetryableErrors', 'ListPlants'],
    ['DamagedItems', 'ListPlants'],
    ['KeySetFailures', 'Authorizer'],
    ['Denials', 'Authorizer'],
    ['DeniedCallers', 'Authorizer'],
  ])('%s: %s', (metric, functionId) => {
    const logGroup = idOf(prod, 'AWS::Logs::LogGroup', `${functionId}Log`);
    expect(filters.filter((each) => each.metric === metric).map((each) => each.logGroup)).toEqual([logGroup]);
    prod.hasResourceProperties('AWS::Lambda::Function', {
      Description:
        functionId === 'ListPlants'
          ? 'Lists the plants the caller has access to'
          : 'Decides who may call the API',
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: logGroup } },
    });
  });
});

import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { grant, importPlants, list, revoke } from '../../cli/commands.ts';
import { UserError } from '../../terminal/user-error.ts';
import { toUserError } from '../../cli/aws-error-messages.ts';
import { forward, startFakeServer } from '../support/fake-server.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { key as keyOf } from '../support/table/plants.ts';
import { testTable } from './plants-command.ts';

const store = await testTable();
const plant = plantWith({ id: 'a1', name: 'Aloe' });
const path = store.file('plants.json', JSON.stringify([plant]));

/** By operation, the bodies of the wrong server's responses, in order. The last one is repeated. */
type Bodies = Readonly<Record<string, readonly string[]>>;

let bodies: Bodies = {};
/** The operations that the command requested. */
const sent: string[] = [];
/** A proxy in front of the store, which responds to the operations in `bodies` itself. */
const server = await startFakeServer((request) => {
  const operation = String(request.headers['x-amz-target']).replace(/.*\./, '');
  const earlier = sent.filter((name) => name === operation).length;
  sent.push(operation);
  const body = bodies[operation]?.[earlier] ?? bodies[operation]?.at(-1);
  if (body === undefined) return forward(store.endpoint, request);
  return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(body.replace('TABLE', store.name)) });
});
afterAll(server.close);

/** What the command wrote to standard output and standard error. */
let shown: string[] = [];
const output = { print: (text: string) => shown.push(text), say: (message: string) => shown.push(message) };
const table = { table: store.name };

/** Runs a command on the wrong server. @returns its error as the terminal shows it */
const errorOf = async (wrong: Bodies, command: () => Promise<void>): Promise<unknown> => {
  bodies = wrong;
  [shown, sent.length] = [[], 0];
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', server.url);
  onTestFinished(() => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.endpoint);
  });
  return command().then(() => undefined, toUserError);
};

const bodiesWithoutMembers = ['[]', 'null', '5', '"text"', '', '<html></html>', '{', '{}'];
const key = JSON.stringify(keyOf('user#alice', 'Aloe', 'a1'));

describe.each([
  ['Query', 'import', () => importPlants(path, { ...table, to: 'user#alice' }, output)],
  ['Query', 'list', () => list(undefined, { ...table, from: 'user#alice' }, output)],
  ['Query', 'list of everyone', () => list('a1', table, output)],
  ['Query', 'grant', () => grant('a1', { ...table, from: 'user#alice', to: 'user#bob' }, output)],
  ['Query', 'revoke', () => revoke(undefined, { ...table, from: 'user#alice', all: true }, output)],
  ['Scan', 'list of all', () => list(undefined, table, output)],
] as const)('for a response to %s, %s', (operation, _, command) => {
  it.each([
    ...bodiesWithoutMembers,
    '{"Items":null}',
    '{"Items":{}}',
    '{"Items":"text"}',
    '{"Items":[null]}',
    '{"Items":["text"]}',
    '{"Items":[[]]}',
    '{"Items":[{}]}',
    '{"Items":[{"principal":"user#alice","sortKey":"Aloe"}]}',
    `{"Items":[${key.replace('}}', '},"tag":null}')}]}`,
    `{"Items":[],"LastEvaluatedKey":"text"}`,
    `{"Items":[],"LastEvaluatedKey":${key}}`,
  ])('fails, and prints and writes nothing, if the body is %s', async (body) => {
    expect(await errorOf({ [operation]: [body] }, command)).toBeInstanceOf(UserError);
    expect(shown.join('')).toBe('');
    expect(new Set(sent)).toEqual(new Set([operation]));
  });
});

const load = () => importPlants(path, { ...table, to: 'user#new' }, output);

it.each([
  ...bodiesWithoutMembers,
  '{"UnprocessedItems":null}',
  '{"UnprocessedItems":[]}',
  '{"UnprocessedItems":"text"}',
  '{"UnprocessedItems":{"TABLE":{}}}',
  '{"UnprocessedItems":{"TABLE":"text"}}',
  '{"UnprocessedItems":{"TABLE":[null]}}',
  '{"UnprocessedItems":{"TABLE":[{},{}]}}',
])('import fails, and shows no counts, if the body of a response to BatchWriteItem is %s', async (body) => {
  expect(await errorOf({ BatchWriteItem: [body] }, load)).toBeInstanceOf(UserError);
  expect(shown).toEqual([]);
});

it('import writes unprocessed items again if a response names the table by its ARN', async () => {
  const request = `{"PutRequest":{"Item":${key}}}`;
  const unprocessed = `{"UnprocessedItems":{"arn:aws:dynamodb:eu-west-1:1:table/x":[${request}]}}`;
  const allProcessed = '{"UnprocessedItems":{}}';
  expect(await errorOf({ BatchWriteItem: [unprocessed, allProcessed] }, load)).toBeUndefined();
  expect(sent).toEqual(['Query', 'BatchWriteItem', 'BatchWriteItem']);
});

it.each(['<html></html>', '{"Item":[]}', '{"Item":"text"}', '{"Item":{"principal":null}}', '{"Item":{}}'])(
  'list fails if the body of a response to GetItem is %s',
  async (body) => {
    const wrong = { Query: [`{"Items":[${key}]}`], GetItem: [body] };
    expect(await errorOf(wrong, () => list('a1', table, output))).toBeInstanceOf(UserError);
  },
);

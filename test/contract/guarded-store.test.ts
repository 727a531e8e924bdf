import { expect, it } from 'vitest';
import { startFakeServer } from '../support/fake-server.ts';
import { credentials } from '../support/table/dynamodb-table.ts';
import { startGuardedStore } from '../support/table/guarded-store.ts';

const operations = [
  { id: 'List', actions: ['dynamodb:Query'] },
  { id: 'Load', actions: ['dynamodb:BatchGetItem', 'dynamodb:PutItem'] },
];
const table = { TableName: 'plants' };

it.each<readonly [what: string, key: string, action: string, body: object, status: number]>([
  ['passes an action that the operation names', 'List', 'Query', table, 200],
  ['refuses an action that the operation does not name', 'List', 'GetItem', table, 400],
  ['refuses an action that only another operation names', 'List', 'PutItem', table, 400],
  ['refuses an index', 'List', 'Query', { ...table, IndexName: 'by-plant' }, 400],
  ['refuses another table', 'Load', 'PutItem', { TableName: 'others' }, 400],
  ['passes a batch of the table', 'Load', 'BatchGetItem', { RequestItems: { plants: {} } }, 200],
  [
    'refuses a batch of two tables',
    'Load',
    'BatchGetItem',
    { RequestItems: { plants: {}, others: {} } },
    400,
  ],
  ['refuses an access key of no operation', 'Other', 'Query', table, 400],
  [
    'passes any request with the tests’ access key',
    credentials.accessKeyId,
    'CreateTable',
    { TableName: 'others' },
    200,
  ],
])('%s', async (_, key, action, body, status) => {
  const store = await startFakeServer(() => Promise.resolve({ status: 200, headers: {}, body: Buffer.of() }));
  const guard = await startGuardedStore(store.url, 'plants', operations);
  const response = await fetch(guard.url, {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${key}/20261128/us-east-1/dynamodb/aws4_request`,
      'x-amz-target': `DynamoDB_20120810.${action}`,
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(status);
  if (status === 400) expect(await response.json()).toEqual({ __type: 'AccessDeniedException' });
  const used = { List: [], Load: [], ...(key in { List: 0, Load: 0 } && { [key]: [`dynamodb:${action}`] }) };
  expect(guard.used()).toEqual(used);
  await Promise.all([guard.close(), store.close()]);
});

it('a test can run something before an action and after it, and can make the action fail', async () => {
  const steps: string[] = [];
  const store = await startFakeServer(() => {
    steps.push('store');
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.of() });
  });
  const guard = await startGuardedStore(store.url, 'plants', operations);
  const statusOfQuery = async () => {
    const headers = { authorization: 'Credential=List/', 'x-amz-target': 'DynamoDB_20120810.Query' };
    return (await fetch(guard.url, { method: 'POST', headers, body: JSON.stringify(table) })).status;
  };
  guard.intercept(async (operation, action, forward) => {
    steps.push(`before ${action} of ${operation}`);
    const reply = await forward();
    steps.push('after');
    return reply;
  });
  expect(await statusOfQuery()).toBe(200);
  expect(steps).toEqual(['before dynamodb:Query of List', 'store', 'after']);
  guard.intercept(() => Promise.reject(new Error('ended')));
  expect(await statusOfQuery()).toBe(500);
  guard.intercept();
  expect(await statusOfQuery()).toBe(200);
  await Promise.all([guard.close(), store.close()]);
});

import dynalite from 'dynalite';
import { afterAll, expect, it, vi } from 'vitest';
import { dynamoDbPlantStore } from '../../../functions/plant-store/dynamodb-plant-store.ts';
import { DynamoDbError } from '../../../functions/dynamodb/protocol.ts';
import { commonErrors } from '../../../functions/http/errors.ts';
import { optionalFields } from '../../../table/plant.ts';
import { describePlantStore } from '../../contract/plant-store.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const server = dynalite({ createTableMs: 0 });
describePlantStore('dynalite', () => startServer(server));
afterAll(() => stopServer(server));

it('a read asks for the attributes of a plant alone', async () => {
  const query = vi.fn(() => Promise.resolve({ Items: [] }));
  const store = dynamoDbPlantStore({ query }, 'Plants');
  await store.read({ principal: 'user#alice', limit: 1 }, new AbortController().signal);
  const fields = optionalFields.map(({ field }) => `, #${field}`);
  const expected = { ProjectionExpression: `sortKey, #name${fields.join('')}` };
  expect(query.mock.calls).toMatchObject([[expected, {}]]);
});

it('a read that fails with 2001 keeps the cause for the log', async () => {
  const cause = new DynamoDbError('Timeout', true);
  const store = dynamoDbPlantStore({ query: () => Promise.reject(cause) }, 'Plants');
  const read = store.read({ principal: 'user#alice', limit: 1 }, new AbortController().signal);
  await expect(read).rejects.toMatchObject({ entry: commonErrors.storeUnavailable, cause });
});

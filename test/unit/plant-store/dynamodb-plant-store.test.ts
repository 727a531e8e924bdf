import dynalite from 'dynalite';
import { afterAll, expect, it } from 'vitest';
import { dynamoDbPlantStore } from '../../../functions/plant-store/dynamodb-plant-store.ts';
import type { DynamoDbClient } from '../../../functions/dynamodb/client.ts';
import { DynamoDbError } from '../../../functions/dynamodb/protocol.ts';
import { StoreUnavailable } from '../../../functions/plant-store/plant-store.ts';
import { fields } from '../../../table/fields.ts';
import { projection } from '../../../table/projection.ts';
import { describePlantStore } from '../../contract/plant-store.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const server = dynalite({ createTableMs: 0 });
describePlantStore('dynalite', () => startServer(server));
afterAll(() => stopServer(server));

/** A client that responds to each action with an output, after the action's own checks. */
const clientWith = (output: unknown, inputs: unknown[] = []): DynamoDbClient => ({
  send: ({ parseOutput }, input) => {
    inputs.push(input);
    return Promise.resolve(parseOutput(output, input));
  },
});

it('a read asks for the attributes of a plant alone', async () => {
  const inputs: unknown[] = [];
  const store = dynamoDbPlantStore(clientWith({ Items: [] }, inputs), 'Plants');
  await store.read({ principal: 'user#alice', limit: 1 }, new AbortController().signal);
  expect(inputs).toMatchObject([projection]);
  const { ProjectionExpression: expression, ExpressionAttributeNames: names } = projection;
  const attributes = expression.split(',').map((name) => names[name] ?? name);
  expect(attributes).toEqual(['sortKey', ...Object.keys(fields)]);
});

it('a read that fails with StoreUnavailable has the client’s error as its cause', async () => {
  const cause = new DynamoDbError('Timeout', { transient: true });
  const store = dynamoDbPlantStore({ send: () => Promise.reject(cause) }, 'Plants');
  const read = store.read({ principal: 'user#alice', limit: 1 }, new AbortController().signal);
  await expect(read).rejects.toThrow(new StoreUnavailable(cause));
});

it('a read whose last key has no sort key fails, because plants that follow would be lost', async () => {
  const output = { Items: [], LastEvaluatedKey: { principal: { S: 'user#alice' } } };
  const store = dynamoDbPlantStore(clientWith(output), 'Plants');
  const read = store.read({ principal: 'user#alice', limit: 1 }, new AbortController().signal);
  await expect(read).rejects.toThrow(StoreUnavailable);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemOf } from '../../../table/item.ts';
import { dynamoDbTable } from '../../support/dynamodb-table.ts';
import { generatedPlants } from '../../support/generated-plants.ts';
import {
  plants,
  type PlantsCommand,
  startPlants,
  type TestTable,
  testTable,
} from '../../support/plants-command.ts';
import { withWatchedStore } from '../../support/store-proxy.ts';

const amount = 3000;
let table: TestTable;
const source = `restored-${randomUUID()}`;
beforeAll(async () => {
  table = await testTable();
  const other = dynamoDbTable(table.endpoint, source);
  await other.create();
  await other.put(generatedPlants(amount).map((plant) => itemOf('user#alice', plant)));
  other.close();
});
afterAll(() => {
  table.close();
});

const same = generatedPlants(amount).map(({ name }, index) =>
  itemOf(`user#${String(index)}`, { id: 'same', name: name.slice(0, 5) }),
);
const notIndexed = generatedPlants(amount).map(({ name, id }) => ({
  principal: { S: 'user#index' },
  sortKey: { S: `${name}\u0000${id}` },
  name: { S: name },
}));

describe('Ctrl-C while it writes', () => {
  it.for([
    [
      'remove',
      ['remove', 'same'],
      same,
      /^Interrupted: Removed from ([\d,]+) partitions?\. Run the same command again\.$/,
    ],
    ['restore', ['restore', '--from-table', source], [], /^Interrupted: ([\d,]+) items? restored\. Run/],
    ['check --repair', ['check', '--repair'], notIndexed, /^Interrupted: ([\d,]+) items? repaired\. Run/],
  ] as const)(
    'ends %s soon; what is done stays done, and the same command does the rest',
    async ([, parameters, items, message]) => {
      await table.put(items);
      let command: PlantsCommand | undefined;
      let writes = 0;
      const interrupt = async ({ operation }: { readonly operation: string }): Promise<void> => {
        if (!/Write|Put|Update/.test(operation)) return Promise.resolve();
        writes += 1;
        if (writes === 3) command?.process.kill('SIGINT');
        return Promise.resolve();
      };
      const { code, messages } = await withWatchedStore(
        table.endpoint,
        { before: interrupt },
        ({ endpoint }) => {
          command = startPlants([...parameters, '--table', table.name, '--endpoint', endpoint]);
          return command.ended;
        },
      );
      const done = Number(message.exec(messages.at(-1) ?? '')?.[1]?.replaceAll(',', ''));
      expect({ code, messages }).toMatchObject({ code: 130 });
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(amount);

      const again = await plants([...parameters, ...table.options]);
      expect(again).toMatchObject({ code: 0 });
      const left = (amount - done).toLocaleString('en');
      expect(again.messages.join('\n')).toContain(left);
    },
  );
});

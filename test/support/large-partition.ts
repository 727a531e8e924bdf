import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { startServer, stopServer } from './loopback-server.ts';

const textValue = z.object({ S: z.string() });
const key = z.object({ principal: textValue, sortKey: textValue });
const requestSchema = z.looseObject({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  Limit: z.number().default(5000),
  ExclusiveStartKey: key.optional(),
  ExpressionAttributeValues: z.record(z.string(), textValue).default({}),
  RequestItems: z.unknown().optional(),
});
const deletions = z.record(z.string(), z.array(z.object({ DeleteRequest: z.object({ Key: key }) })));
const reads = z.record(z.string(), z.object({ Keys: z.array(key) }));
type Request = z.infer<typeof requestSchema>;

/** The plants of a user, of which nothing is stored but which are deleted. The table `empty` has none. */
export interface LargePartition {
  readonly endpoint: string;
  readonly left: () => number;
  /** Called after each batch of deletions. */
  onDelete: () => void;
  readonly close: () => Promise<void>;
}

const principal = { S: 'user#large' };
const sortKeyOf = (index: number): string => `Plant ${String(index).padStart(7, '0')}\u0000${String(index)}`;
const indexIn = (sortKey: string): number => Number(sortKey.slice('Plant '.length, 'Plant '.length + 7));
const keyOf = (index: number) => ({ principal, sortKey: { S: sortKeyOf(index) } });
const itemOf = (index: number) => {
  const [name = '', id = ''] = sortKeyOf(index).split('\u0000');
  return { ...keyOf(index), name: { S: name }, tag: { S: 'tree' }, plantId: { S: id } };
};

/** Starts a store in DynamoDB's protocol with this number of plants, which takes a real one minutes to load. */
export const startLargePartition = async (amount: number): Promise<LargePartition> => {
  const isThere = new Uint8Array(amount).fill(1);

  const page = ({
    TableName,
    Limit,
    ExclusiveStartKey: start,
    ExpressionAttributeValues: values,
  }: Request) => {
    const { ':principal': whose = principal, ':after': after, ':upTo': upTo } = values;
    const isOther = TableName === 'empty' || whose.S !== principal.S;
    const end = upTo === undefined ? amount : indexIn(upTo.S) + 1;
    let index = isOther
      ? end
      : start === undefined
        ? indexIn(after?.S ?? sortKeyOf(0))
        : indexIn(start.sortKey.S) + 1;
    const Items: object[] = [];
    for (; index < end && Items.length < Limit; index += 1)
      if (isThere[index] === 1) Items.push(itemOf(index));
    const last = index < end && { LastEvaluatedKey: keyOf(index - 1) };
    return { Items, ...last, ConsumedCapacity: { TableName, CapacityUnits: Items.length / 40 } };
  };
  const ofIndex = ({ ExpressionAttributeValues: { ':id': id, ':principal': whose } }: Request) => ({
    Items: whose === undefined && isThere[Number(id?.S)] === 1 ? [keyOf(Number(id?.S))] : [],
  });
  const store: LargePartition = {
    endpoint: '',
    left: () => isThere.reduce((sum, each) => sum + each, 0),
    onDelete: () => undefined,
    close: () => stopServer(server),
  };
  const respond = (operation: string, request: Request): object => {
    switch (operation) {
      case 'BatchWriteItem':
        for (const { DeleteRequest: deletion } of Object.values(deletions.parse(request.RequestItems)).flat())
          isThere[indexIn(deletion.Key.sortKey.S)] = 0;
        store.onDelete();
        return {};
      case 'BatchGetItem': {
        const [[name, { Keys: keys }] = ['', { Keys: [] }]] = Object.entries(
          reads.parse(request.RequestItems),
        );
        const found = keys.filter(
          (each) => each.principal.S === principal.S && isThere[indexIn(each.sortKey.S)] === 1,
        );
        return { Responses: { [name]: found.map((each) => itemOf(indexIn(each.sortKey.S))) } };
      }
      case 'Query':
      case 'Scan':
        return request.IndexName === undefined ? page(request) : ofIndex(request);
      default:
        return {};
    }
  };
  const server = createServer((message, response) => {
    const operation = String(message.headers['x-amz-target']).split('.').at(-1) ?? '';
    void text(message).then((body) => {
      const content = respond(operation, requestSchema.parse(JSON.parse(body)));
      response.setHeader('content-type', 'application/x-amz-json-1.0').end(JSON.stringify(content));
    });
  });
  return Object.assign(store, { endpoint: await startServer(server) });
};

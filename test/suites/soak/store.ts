import { z } from 'zod';
import { itemOf } from '../../../table/item.ts';
import type { GoodReply, ReceivedRequest } from '../../support/fake-server.ts';

/** How many plants with a long tag one Query reads: DynamoDB's limit is 1 MB. */
export const plantsPerMegabyte = 1100;
const longTag = 'x'.repeat(900);

export const plantName = (index: number, user: string): string => `${String(index).padStart(6, '0')} ${user}`;

const key = z.object({ S: z.string() });
const query = z.object({
  ExpressionAttributeValues: z.object({ ':principal': key, ':after': key.optional() }),
  Limit: z.number().default(plantsPerMegabyte),
});

/** Responds to a Query as DynamoDB does. A principal's name begins with the number of its plants. */
export const respondAsStore = ({ body }: ReceivedRequest): Promise<GoodReply> => {
  const { ExpressionAttributeValues: values, Limit } = query.parse(JSON.parse(body.toString()));
  const [, user = '', plants = '0'] = /#((\d+).*)/.exec(values[':principal'].S) ?? [];
  const first = values[':after'] === undefined ? 0 : Number.parseInt(values[':after'].S, 10) + 1;
  const end = Math.min(Number(plants), first + Math.min(Limit, plantsPerMegabyte));
  const tag = Number(plants) > plantsPerMegabyte ? longTag : 'tree';
  const Items = Array.from({ length: end - first }, (_, offset) => {
    const item = itemOf(`user#${user}`, { id: '1', name: plantName(first + offset, user), tag });
    return user.includes('damaged') && first + offset < 2 ? { ...item, name: { S: 'another' } } : item;
  });
  const { principal, sortKey } = { ...Items.at(-1) };
  const rest = end < Number(plants) && { LastEvaluatedKey: { principal, sortKey } };
  return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify({ Items, ...rest })) });
};

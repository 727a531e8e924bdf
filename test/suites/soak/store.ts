import { z } from 'zod';
import { itemOf } from '../../../table/item.ts';
import type { GoodReply, LinkRequest } from '../../support/link.ts';

/** DynamoDB's limit of 1 MB, with tags of this size. */
export const plantsPerPage = 1100;
const longTag = 'x'.repeat(900);

export const plantName = (index: number, user: string): string => `${String(index).padStart(6, '0')} ${user}`;

const key = z.object({ S: z.string() });
const query = z.object({
  ExpressionAttributeValues: z.object({ ':principal': key, ':after': key.optional() }),
  Limit: z.number().default(plantsPerPage),
});

/** Responds to a Query as DynamoDB does. A principal has as many plants as its name begins with. */
export const respondAsStore = ({ body }: LinkRequest): Promise<GoodReply> => {
  const { ExpressionAttributeValues: values, Limit } = query.parse(JSON.parse(body.toString()));
  const [, user = '', plants = '0'] = /#((\d+).*)/.exec(values[':principal'].S) ?? [];
  const first = values[':after'] === undefined ? 0 : Number.parseInt(values[':after'].S, 10) + 1;
  const end = Math.min(Number(plants), first + Math.min(Limit, plantsPerPage));
  const tag = Number(plants) > plantsPerPage ? longTag : 'tree';
  const Items = Array.from({ length: end - first }, (_, offset) => {
    const item = itemOf(`user#${user}`, { id: '1', name: plantName(first + offset, user), tag });
    return user.includes('damaged') && first + offset < 2 ? { ...item, name: { S: 'another' } } : item;
  });
  const { principal, sortKey } = { ...Items.at(-1) };
  const rest = end < Number(plants) && { LastEvaluatedKey: { principal, sortKey } };
  return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify({ Items, ...rest })) });
};

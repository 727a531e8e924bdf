import { z } from 'zod';
import type { Backend } from './backend/backend.ts';
import { callerOf, longList, manyPrincipals, smallList } from './backend/plants.ts';
import { authorizerEvent, listEvent } from './lambda/events.ts';
import type { Start } from './measure.ts';
import { emptyName, type Variant } from './variants.ts';

/** Events as JSON text, by a description of the request. */
type Events = Readonly<Record<string, string>>;

const caller = callerOf(smallList);

export const listEvents: Events = {
  'a small list': listEvent({ caller }),
  'a long list': listEvent({ caller: callerOf(longList) }),
  'a list of many principals': listEvent({ caller: callerOf(manyPrincipals) }),
  'a list of several DynamoDB responses': listEvent({ caller: callerOf({ plants: 12_000, principals: 1 }) }),
  'a limit': listEvent({ caller, query: 'limit=7' }),
  'a limit of 0': listEvent({ caller, query: 'limit=0' }),
  'a wrong limit': listEvent({ caller, query: 'limit=-1' }),
  'a repeated limit': listEvent({ caller, query: 'limit=1&limit=2' }),
  'a caller without plants': listEvent({ caller: { ...caller, subject: 'nobody', groups: [] } }),
  'no caller': listEvent({ caller: undefined }),
};

export const authorizerEvents = (tokenOf: Backend['tokenOf']): Events => {
  const good = tokenOf(caller);
  return {
    'a good token': authorizerEvent(good),
    'a forged token': authorizerEvent(good.replace(/.{8}$/, 'AAAAAAAA')),
    'an expired token': authorizerEvent(tokenOf({ ...caller, expiresAt: 1 })),
  };
};

/** What is compared: status and body of an HTTP response, or the whole decision of the authorizer. */
const compared = z.union([
  z.object({ statusCode: z.int(), body: z.string() }),
  z.looseObject({ isAuthorized: z.boolean() }),
]);

/**
 * Sends the same events to every variant except `empty`, which does nothing.
 * @throws {Error} naming the first variant whose response or number of Queries differs from the product's
 */
export const compareResponses = async (
  variants: readonly Variant[],
  start: Start,
  events: Events,
): Promise<void> => {
  const expected = new Map<string, string>();
  for (const variant of variants.filter(({ name }) => name !== emptyName)) {
    await using environment = await start(variant);
    for (const [description, event] of Object.entries(events)) {
      const { result, queries } = await environment.invoke(event);
      const response = JSON.stringify({ queries, ...compared.parse(JSON.parse(result)) });
      // The first variant is the product.
      const wanted = expected.get(description) ?? response;
      expected.set(description, wanted);
      if (response !== wanted) {
        throw new Error(`${variant.name} responds to ${description} with ${difference(response, wanted)}`);
      }
    }
  }
};

/** The first place where two responses differ. */
const difference = (text: string, other: string): string => {
  let place = 0;
  while (place < text.length && text[place] === other[place]) place += 1;
  const part = (whole: string): string => whole.slice(Math.max(0, place - 40), place + 40);
  return `${part(text)} instead of ${part(other)}`;
};

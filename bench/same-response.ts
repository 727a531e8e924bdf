import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { callerOf, largeList, manyPrincipals, smallList } from './backend/plants.ts';
import type { Harness } from './harness.ts';
import { authorizerEvent, listEvent, type ListRequest } from './lambda/events.ts';
import { startEnvironment } from './lambda/execution-environment.ts';
import { emptyName, type Task } from './variants.ts';

/** The variants cannot be compared. The message says why. */
export class UnfairComparison extends Error {
  override readonly name = 'UnfairComparison';
}

/** An event that every variant gets. */
interface Case {
  readonly description: string;
  /** As JSON text. */
  readonly event: string;
  /** Whether the product sends as many Queries as the others. */
  readonly sameQueries: boolean;
}

/**
 * Sends every variant the same events, and compares the responses and the number of Queries.
 * @throws {UnfairComparison} naming the first variant that differs from the product
 */
export const checkSameResponses = async (harness: Harness): Promise<void> => {
  await checkSignaturesMatter(harness);
  await compare(harness, 'list', listCases());
  await compare(harness, 'authorizer', authorizerCases(harness));
};

const caller = callerOf(smallList);

/** A principal's list that DynamoDB returns in several responses of 1 MB. */
const severalResponses = { plants: 12_000, principals: 1 };

const listCases = (): readonly Case[] => {
  const requests: Readonly<Record<string, ListRequest>> = {
    'a small list': { caller },
    'a large list': { caller: callerOf(largeList) },
    'a list of many principals': { caller: callerOf(manyPrincipals) },
    'a list of several DynamoDB responses': { caller: callerOf(severalResponses) },
    'a limit': { caller, query: 'limit=7' },
    'a limit of 0': { caller, query: 'limit=0' },
    'a wrong limit': { caller, query: 'limit=-1' },
    'a repeated limit': { caller, query: 'limit=1&limit=2' },
    'a caller without plants': { caller: { ...caller, subject: 'nobody', groups: [] } },
    'no caller': { caller: undefined },
  };
  return Object.entries(requests).map(([description, request]) => ({
    description,
    event: listEvent(request),
    // With a limit, the product may read fewer items at once, in more Queries.
    sameQueries: request.query === undefined,
  }));
};

const authorizerCases = ({ tokenOf }: Harness): readonly Case[] => {
  const good = tokenOf(caller);
  return Object.entries({
    'a good token': good,
    'a forged token': good.replace(/.{8}$/, 'AAAAAAAA'),
    'an expired token': tokenOf({ ...caller, expiresAt: 1 }),
  }).map(([description, token]) => ({ description, event: authorizerEvent(token), sameQueries: true }));
};

const httpResult = z.object({ statusCode: z.int(), body: z.string() });
/** Compares status and body of an HTTP response, without its headers, and all of a decision. */
const compared = z.union([httpResult, z.looseObject({ isAuthorized: z.boolean() })]);

const compare = async (
  { candidates, queryCount }: Harness,
  task: Task,
  cases: readonly Case[],
): Promise<void> => {
  const expected = new Map<Case, unknown>();
  for (const candidate of candidates[task].filter(({ name }) => name !== emptyName)) {
    await using environment = await startEnvironment(candidate);
    for (const each of cases) {
      const before = queryCount();
      const { result } = await environment.invoke(each.event);
      const queries = each.sameQueries ? queryCount() - before : undefined;
      const response = { ...compared.parse(JSON.parse(result)), queries };
      // The product is the first.
      const wanted = expected.get(each) ?? response;
      expected.set(each, wanted);
      if (!isDeepStrictEqual(response, wanted)) {
        const found = difference(response, wanted);
        throw new UnfairComparison(`${candidate.name} responds to ${each.description} with ${found}.`);
      }
    }
  }
};

/** The stub must reject wrong signatures, so that every variant pays for signing. */
const checkSignaturesMatter = async ({ product: { list } }: Harness): Promise<void> => {
  const variables = { ...list.variables, AWS_SECRET_ACCESS_KEY: 'wrong' };
  await using environment = await startEnvironment({ ...list, variables });
  const { result } = await environment.invoke(listEvent({ caller }));
  if (httpResult.parse(JSON.parse(result)).statusCode === 200) {
    throw new UnfairComparison('The stub of DynamoDB accepts a wrong signature.');
  }
};

/** The first place where two responses differ. */
const difference = (response: unknown, wanted: unknown): string => {
  const [text, other] = [JSON.stringify(response), JSON.stringify(wanted)];
  let place = 0;
  while (place < text.length && text[place] === other[place]) place += 1;
  const part = (whole: string): string => whole.slice(Math.max(0, place - 40), place + 40);
  return `${part(text)} instead of ${part(other)}`;
};

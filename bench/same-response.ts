import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { authorizerEvent, listEvent, type ListRequest } from './lambda/events.ts';
import { type ExecutionEnvironment, startEnvironment } from './lambda/execution-environment.ts';
import { callerOf, type ListSize } from './backend/plants.ts';
import type { Candidate, Harness } from './harness.ts';

/** The variants cannot be compared. The message says why. */
export class UnfairComparison extends Error {
  override readonly name = 'UnfairComparison';
}

/** A function's response to an event. */
interface Recorded {
  /** A description of the event. */
  readonly event: string;
  readonly response: unknown;
}

/**
 * Sends every variant the same events, and compares the responses and the number of queries.
 * @param sizes lists that will be measured
 * @throws {UnfairComparison} naming the first variant that differs from the product
 */
export const checkSameResponses = async (harness: Harness, sizes: readonly ListSize[]): Promise<void> => {
  const { list, authorizer } = harness.candidates;
  await checkSignaturesMatter(harness);
  const requests = listRequests(harness, sizes);
  await compare(list, (environment) => responsesToRequests(environment, requests, harness.queryCount));
  const tokens = await tokensFor(harness);
  await compare(authorizer, (environment) => responsesToTokens(environment, tokens));
};

const listRequests = (
  { expiresAt }: Harness,
  sizes: readonly ListSize[],
): Readonly<Record<string, ListRequest>> => {
  const caller = callerOf({ plants: 20, principals: 3 }, expiresAt);
  return {
    ...Object.fromEntries(
      sizes.map((size) => [
        `${String(size.plants)} plants of ${String(size.principals)} principals`,
        { caller: callerOf(size, expiresAt) },
      ]),
    ),
    'a limit': { caller, query: 'limit=7' },
    'a limit of 0': { caller, query: 'limit=0' },
    'a wrong limit': { caller, query: 'limit=-1' },
    'a repeated limit': { caller, query: 'limit=1&limit=2' },
    'a caller without plants': { caller: { ...caller, subject: 'nobody', groups: [] } },
    'no caller': { caller: undefined },
  };
};

const httpResult = z.object({ statusCode: z.int(), body: z.string() });

const responsesToRequests = async (
  environment: ExecutionEnvironment,
  requests: Readonly<Record<string, ListRequest>>,
  queryCount: () => number,
): Promise<readonly Recorded[]> => {
  const responses: Recorded[] = [];
  for (const [event, request] of Object.entries(requests)) {
    const before = queryCount();
    const { result } = await environment.invoke(listEvent(request));
    const queries = queryCount() - before;
    const { statusCode, body } = httpResult.parse(JSON.parse(result));
    // With a limit, the product may read less at once, and continue if that was not enough.
    const response = { statusCode, body, ...(request.query === undefined && { queries }) };
    responses.push({ event, response });
  }
  return responses;
};

const tokensFor = async ({ issuer, expiresAt }: Harness): Promise<Readonly<Record<string, string>>> => {
  const caller = callerOf({ plants: 20, principals: 3 }, expiresAt);
  const good = await issuer.sign(caller);
  return {
    'a good token': good,
    'a forged token': good.replace(/.{8}$/, 'AAAAAAAA'),
    'an expired token': await issuer.sign({ ...caller, expiresAt: 1 }),
  };
};

const responsesToTokens = async (
  environment: ExecutionEnvironment,
  tokens: Readonly<Record<string, string>>,
): Promise<readonly Recorded[]> => {
  const responses: Recorded[] = [];
  for (const [event, token] of Object.entries(tokens)) {
    const { result } = await environment.invoke(authorizerEvent(token));
    responses.push({ event, response: JSON.parse(result) });
  }
  return responses;
};

const compare = async (
  candidates: readonly Candidate[],
  ask: (environment: ExecutionEnvironment) => Promise<readonly Recorded[]>,
): Promise<void> => {
  let expected: readonly Recorded[] | undefined;
  for (const candidate of candidates.filter(({ isEmpty }) => !isEmpty)) {
    const environment = await startEnvironment(candidate);
    const responses = await ask(environment);
    await environment.end();
    expected ??= responses;
    for (const [index, { event, response }] of responses.entries()) {
      const wanted = expected[index]?.response;
      if (!isDeepStrictEqual(response, wanted)) {
        throw new UnfairComparison(
          `${candidate.name} responds to ${event} differently: ${difference(response, wanted)}.`,
        );
      }
    }
  }
};

/** The stub must reject wrong signatures, so that every variant pays for signing. */
const checkSignaturesMatter = async ({ candidates, expiresAt }: Harness): Promise<void> => {
  for (const candidate of candidates.list.slice(0, 1)) {
    const variables = { ...candidate.variables, AWS_SECRET_ACCESS_KEY: 'wrong' };
    const environment = await startEnvironment({ ...candidate, variables });
    const caller = callerOf({ plants: 20, principals: 1 }, expiresAt);
    const { result } = await environment.invoke(listEvent({ caller }));
    await environment.end();
    if (httpResult.parse(JSON.parse(result)).statusCode === 200) {
      throw new UnfairComparison('The stub of DynamoDB accepts a wrong signature.');
    }
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

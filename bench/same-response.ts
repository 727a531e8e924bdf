import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { authorizerEvent, listEvent, type ListRequest } from './events.ts';
import { type ExecutionEnvironment, startEnvironment } from './execution-environment.ts';
import { callerOf, type ListSize } from './plants.ts';
import type { Candidate, Harness } from './harness.ts';

/** A comparison would be worth nothing; the message says why. */
export class UnfairComparison extends Error {
  override readonly name = 'UnfairComparison';
}

/** What a function did with an event. */
interface Answer {
  /** The event, for a person. */
  readonly to: string;
  readonly answer: unknown;
}

/**
 * Sends every variant the same events and compares what comes back, and what DynamoDB was asked for it.
 * @param sizes lists that will be timed
 * @throws {UnfairComparison} naming the first variant that does another job than the first, the product's
 */
export const checkSameResponses = async (harness: Harness, sizes: readonly ListSize[]): Promise<void> => {
  const { list, authorizer } = harness.candidates;
  await checkSignaturesMatter(harness);
  const requests = listRequests(harness, sizes);
  await compare(list, (environment) => answersToRequests(environment, requests, harness.queryCount));
  const tokens = await tokensFor(harness);
  await compare(authorizer, (environment) => answersToTokens(environment, tokens));
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

const answersToRequests = async (
  environment: ExecutionEnvironment,
  requests: Readonly<Record<string, ListRequest>>,
  queryCount: () => number,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  for (const [to, request] of Object.entries(requests)) {
    const before = queryCount();
    const { result } = await environment.invoke(listEvent(request));
    const queries = queryCount() - before;
    const { statusCode, body } = httpResult.parse(JSON.parse(result));
    // With a limit the product may read less at once, and go on when that was not enough.
    answers.push({ to, answer: { statusCode, body, ...(request.query === undefined && { queries }) } });
  }
  return answers;
};

const tokensFor = async ({ issuer, expiresAt }: Harness): Promise<Readonly<Record<string, string>>> => {
  const caller = callerOf({ plants: 20, principals: 3 }, expiresAt);
  const good = await issuer.sign(caller);
  return {
    'a good token': good,
    'a forged token': good.replace(/.{8}$/, 'AAAAAAAA'),
    'an old token': await issuer.sign({ ...caller, expiresAt: 1 }),
  };
};

const answersToTokens = async (
  environment: ExecutionEnvironment,
  tokens: Readonly<Record<string, string>>,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  for (const [to, token] of Object.entries(tokens)) {
    const { result } = await environment.invoke(authorizerEvent(token));
    answers.push({ to, answer: JSON.parse(result) });
  }
  return answers;
};

const compare = async (
  candidates: readonly Candidate[],
  ask: (environment: ExecutionEnvironment) => Promise<readonly Answer[]>,
): Promise<void> => {
  let expected: readonly Answer[] | undefined;
  for (const candidate of candidates.filter(({ isEmpty }) => !isEmpty)) {
    const environment = await startEnvironment(candidate);
    const answers = await ask(environment);
    await environment.end();
    expected ??= answers;
    for (const [index, { to, answer }] of answers.entries()) {
      const wanted = expected[index]?.answer;
      if (!isDeepStrictEqual(answer, wanted)) {
        throw new UnfairComparison(
          `${candidate.name} answers ${to} in another way: ${difference(answer, wanted)}.`,
        );
      }
    }
  }
};

/** A function with a wrong secret must get nothing: else the stub would not show what signing costs. */
const checkSignaturesMatter = async ({ candidates, expiresAt }: Harness): Promise<void> => {
  for (const candidate of candidates.list.slice(0, 1)) {
    const variables = { ...candidate.variables, AWS_SECRET_ACCESS_KEY: 'wrong' };
    const environment = await startEnvironment({ ...candidate, variables });
    const caller = callerOf({ plants: 20, principals: 1 }, expiresAt);
    const { result } = await environment.invoke(listEvent({ caller }));
    await environment.end();
    if (httpResult.parse(JSON.parse(result)).statusCode === 200) {
      throw new UnfairComparison('The stub of DynamoDB answers requests with a wrong signature.');
    }
  }
};

/** Where two answers part, in a few words. */
const difference = (answer: unknown, wanted: unknown): string => {
  const [text, other] = [JSON.stringify(answer), JSON.stringify(wanted)];
  let place = 0;
  while (place < text.length && text[place] === other[place]) place += 1;
  const part = (whole: string): string => whole.slice(Math.max(0, place - 40), place + 40);
  return `${part(text)} in place of ${part(other)}`;
};

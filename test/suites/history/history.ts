import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { type ServiceResponse, send } from '../../contract/client.ts';
import { nextIn } from '../../contract/plants.ts';
import { decisions } from './decisions.ts';
import type { Deployment } from './deployments.ts';
import { issueToken, type IssuedToken } from './issue-token.ts';
import { type Decision, type Query, respond, type World } from './model.ts';
import type { Difference } from './shrink.ts';
import { usualToken } from './simplifications.ts';
import { storedGrants } from './stored-grants.ts';
import type { IssuerKey, IssuerState, ListStep, Step } from './steps.ts';

/** Receives the kind of each step, and of each response. */
export type Count = (what: 'step' | 'response', kind: string) => void;

/** Longer than the authorizer keeps a key set, so that a history starts as if nothing had been before. */
const betweenHistories = 2 * 3_600_000;

interface Request {
  readonly token: IssuedToken;
  readonly query: Query;
  readonly target: string;
}

/**
 * Takes the steps of a history with a running service, and compares each response with the model's.
 * Every run has its own users and groups.
 * @returns the first difference
 */
export const runHistory = async (
  deployment: Deployment,
  steps: readonly Step[],
  count: Count = () => undefined,
): Promise<Difference | undefined> => {
  const { keySet, setStoreWorks, table, now, passTime } = deployment;
  const suffix = `~${crypto.randomUUID()}`;
  const grants = storedGrants(table, suffix);
  const issuer: { keys: readonly IssuerKey[]; state: IssuerState } = { keys: ['first'], state: 'works' };
  let storeWorks = true;
  const world = (): World => ({
    now: now(),
    access: grants.access,
    storeWorks,
    published: issuer.state === 'works' ? issuer.keys : undefined,
  });

  const { cached, check } = decisions(deployment);
  const cursors: { readonly position: string; readonly text: string }[] = [];
  const lastTokens = new Map<string, IssuedToken>();

  const tokenFor = ({ caller, token }: ListStep): IssuedToken => {
    const named = {
      subject: `${caller.subject}${suffix}`,
      groups: caller.groups.map((group) => `${group}${suffix}`),
    };
    const last = lastTokens.get(caller.subject);
    if (token === 'the last' && last !== undefined) return last;
    const by = { ...deployment, currentKey: issuer.keys[0] };
    const issued = issueToken(token === 'the last' ? usualToken : token, named, by);
    lastTokens.set(caller.subject, issued);
    return issued;
  };

  const requestOf = (step: ListStep): Request => {
    const token = tokenFor(step);
    if ('wrong' in step.query) {
      return { token, query: { error: step.query.error }, target: `/plants?${step.query.wrong}` };
    }
    const { limit, cursor } = step.query;
    const from = cursor === undefined ? undefined : cursors[cursor % cursors.length];
    const parameters = new URLSearchParams({
      ...(limit !== undefined && { limit: String(limit) }),
      ...(from !== undefined && { cursor: from.text }),
    });
    return { token, query: { limit, after: from?.position }, target: `/plants?${parameters.toString()}` };
  };

  const list = async (listSteps: readonly ListStep[]): Promise<void> => {
    const requests = listSteps.map(requestOf);
    const before = keySet.fetches();
    const responses = await Promise.all(
      requests.map(async ({ token, query, target }) => ({
        token,
        query,
        known: cached(token),
        response: await send(deployment.baseUrl, target, { authorization: token.authorization }),
      })),
    );
    const decided = responses.flatMap(({ token, known, response }): [IssuedToken, Decision][] =>
      known === undefined ? [[token, decisionIn(response)]] : [],
    );
    check(decided, keySet.fetches() - before, world());
    for (const { token, query, known, response } of responses) {
      const { next, ...expected } = respond(known ?? decisionIn(response), token, query, world());
      const { error, ...received } = contentOf(response);
      count('response', [received.status, error].join(' ').trim());
      assert.deepEqual(
        { ...received, ...(error !== undefined && { error }), hasNext: nextIn(response) !== undefined },
        { ...expected, hasNext: next !== undefined },
      );
      const text = new URLSearchParams(nextIn(response)?.split('?')[1]).get('cursor');
      if (next !== undefined && text !== null) cursors.push({ position: next, text });
    }
  };

  const take = async (step: Step): Promise<void> => {
    switch (step.step) {
      case 'grant':
        await grants.grant(step.to, step.name, step.id);
        break;
      case 'revoke':
        await grants.revoke(step.from, step.plant);
        break;
      case 'damage':
        await grants.damage(step.of, step.name, step.id);
        break;
      case 'list':
        await list(step.requests);
        break;
      case 'rotate':
        issuer.keys = step.keys;
        keySet.publish(issuer.keys, issuer.state);
        break;
      case 'issuer':
        issuer.state = step.state;
        keySet.publish(issuer.keys, issuer.state);
        break;
      case 'store':
        storeWorks = step.works;
        setStoreWorks(storeWorks);
        break;
      case 'time passes':
        passTime(step.seconds * 1000);
    }
  };

  passTime(betweenHistories);
  keySet.publish(issuer.keys, issuer.state);
  setStoreWorks(true);
  for (const [index, step] of steps.entries()) {
    try {
      await take(step);
    } catch (error) {
      return { steps: index + 1, error };
    }
    count('step', kindOf(step));
  }
  return undefined;
};

const decisionIn = ({ status }: ServiceResponse): Decision =>
  status === 403 ? 'deny' : status === 500 ? 'throw' : 'allow';

const errorBody = z.object({ error: z.number() });

const contentOf = ({
  status,
  body,
}: ServiceResponse): { status: number; plants?: unknown; error?: number } => {
  if (status === 200) return { status, plants: body };
  const { data } = errorBody.safeParse(body);
  return { status, ...data };
};

/** What `Count` receives of a step. */
const kindOf = (step: Step): string => {
  switch (step.step) {
    case 'list':
      return step.requests.length > 1 ? 'two lists at once' : 'list';
    case 'issuer':
      return `the issuer ${step.state}`;
    case 'store':
      return step.works ? 'the store works' : 'the store is down';
    default:
      return step.step;
  }
};

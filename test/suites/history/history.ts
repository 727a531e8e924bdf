import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { type ServiceResponse, send } from '../../contract/client.ts';
import { nextIn } from '../../contract/plants.ts';
import { decisions } from './decisions.ts';
import type { Deployment } from './deployments.ts';
import { issueToken, type IssuedToken } from './issue-token.ts';
import { type Decision, type Query, respond, type World } from './model.ts';
import { storedGrants } from './stored-grants.ts';
import type { ListStep, NewToken, Step } from './steps.ts';

/** Longer than the authorizer keeps a key set, so that nothing cached outlives a history. */
const betweenHistoriesMs = 2 * 3_600_000;

/** The token of a caller who has none yet, when a step asks for the last one. */
const usualToken: NewToken = { key: 'current', isForged: false, kid: 'of the key', times: {} };

interface Request {
  readonly token: IssuedToken;
  readonly query: Query;
  readonly target: string;
}

/**
 * Runs the steps of a history on a running service, and compares each response with the model's.
 * Every run has its own users and groups.
 * @param seen gets the status and the error of each response
 * @throws {AssertionError} at the first difference
 */
export const runHistory = async (
  deployment: Deployment,
  steps: readonly Step[],
  seen: Set<string>,
): Promise<void> => {
  const { keySet, setStoreWorks, table, now, passTime } = deployment;
  const suffix = `~${crypto.randomUUID()}`;
  const grants = storedGrants(table, suffix);
  let storeWorks = true;
  const world = (): World => ({
    now: now(),
    access: grants.access,
    storeWorks,
    published: keySet.state === 'works' ? keySet.keys : undefined,
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
    const by = { ...deployment, currentKey: keySet.keys[0] };
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
    const before = keySet.fetches;
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
    check(decided, keySet.fetches - before, world());
    for (const { token, query, known, response } of responses) {
      const { next, ...expected } = respond(known ?? decisionIn(response), token, query, world());
      const { error, ...received } = contentOf(response);
      seen.add([received.status, error].join(' ').trim());
      assert.deepEqual(
        { ...received, ...(error !== undefined && { error }), hasNext: nextIn(response) !== undefined },
        { ...expected, hasNext: next !== undefined },
      );
      const text = new URLSearchParams(nextIn(response)?.split('?')[1]).get('cursor');
      if (next !== undefined && text !== null) cursors.push({ position: next, text });
    }
  };

  const runStep = async (step: Step): Promise<void> => {
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
        keySet.keys = step.keys;
        break;
      case 'issuer':
        keySet.state = step.state;
        break;
      case 'store':
        storeWorks = step.works;
        setStoreWorks(storeWorks);
        break;
      case 'time passes':
        passTime(step.seconds * 1000);
    }
  };

  passTime(betweenHistoriesMs);
  keySet.keys = ['first'];
  keySet.state = 'works';
  setStoreWorks(true);
  for (const step of steps) await runStep(step);
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

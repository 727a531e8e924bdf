import { expect } from 'vitest';
import { z } from 'zod';
import { authorizerSteps } from './steps.ts';
import type { FaultyIssuer } from './faulty-issuer.ts';
import type { FunctionProcess, Outcome } from '../process/function-process.ts';
import type { Target } from '../soak.ts';
import { subjectOf, type Terms, tokensOf } from './token-kinds.ts';

const decisionSchema = z.union([
  z.strictObject({ isAuthorized: z.literal(false) }).transform(() => 'denied'),
  z.strictObject({
    isAuthorized: z.literal(true),
    context: z.strictObject({
      subject: z.string(),
      groups: z.array(z.string()),
      expiresAt: z.number(),
      callerId: z.string().length(16),
    }),
  }),
]);

/** The authorizer with an issuer whose keys rotate and whose key set fails, with a clock that advances by hours each second. */
export const authorizer = (
  { invoke, measure }: FunctionProcess,
  issuer: FaultyIssuer,
  names: { readonly issuer: string; readonly audience: string },
): Target => {
  let aheadMs = 0;
  const terms = (): Terms => ({
    ...names,
    nowMs: Date.now() + aheadMs,
  });
  const generation = () => ({ keys: issuer.keys(), token: tokensOf(terms, issuer.keys()) });
  let current = generation();
  let withdrawn = current;
  const steps = authorizerSteps();
  return {
    send: async () => {
      const step = steps.next().value;
      aheadMs += step.later;
      if (step.issuer !== undefined) issuer.behave(step.issuer);
      if (step.rotate) {
        issuer.rotate();
        withdrawn = current;
        current = generation();
      }
      const { keys, token } = step.token === 'withdrawn' ? withdrawn : current;
      const authorization = token(step.token === 'withdrawn' ? 'rsa' : step.token);
      const fetchesBefore = issuer.fetches();
      const outcome = await invoke({
        event: {
          version: '2.0',
          type: 'REQUEST',
          identitySource: [authorization],
          headers: { authorization },
        },
        remainingMs: 5000,
        aheadMs,
      });
      expect(
        { decision: decisionOf(outcome, subjectOf(keys)), fetches: issuer.fetches() - fetchesBefore },
        JSON.stringify(step),
      ).toEqual({ decision: step.expected, fetches: step.fetches ?? 0 });
    },
    measure,
  };
};

const decisionOf = (outcome: Outcome, subject: string): unknown => {
  if (outcome.type === 'error') return outcome.errorType === 'JwksUnavailable' ? 'failed' : outcome;
  const decision = decisionSchema.parse(outcome.payload);
  return typeof decision !== 'string' && decision.context.subject === subject ? 'allowed' : decision;
};

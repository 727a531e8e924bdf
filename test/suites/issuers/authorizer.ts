import { z } from 'zod';
import { authorize } from '../../../functions/authorizer/authorize.ts';
import { fetchJwks } from '../../../functions/authorizer/fetch-jwks.ts';
import { jwksCache } from '../../../functions/authorizer/jwks-cache.ts';
import { tokenPolicyFrom } from '../../../functions/authorizer/token-policy.ts';
import { variable } from '../../../functions/runtime/environment.ts';
import type { Stage } from '../../../infra/stage-type.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { propertiesOf } from '../../support/template-resources.ts';
import { stageNamed, templateOf } from '../../support/synthesized.ts';

/** The variables of a function. A variable that refers to another resource (`Ref`) becomes an empty text. */
const functionSchema = z.object({
  Environment: z.object({ Variables: z.record(z.string(), z.string().catch('')) }),
});

/** Decides on a token as if it were `secondsLater`, and returns the decision with the log entries. */
export type Decide = (token: string, secondsLater?: number) => Promise<unknown>;

/**
 * An authorizer that has fetched no key set, with the variables that its function in a stage's template has.
 */
export const authorizerFor = (tokens: Stage['tokens']): Decide => {
  const template = templateOf({ ...stageNamed('local'), tokens });
  const environment = functionSchema.parse(
    propertiesOf(template, 'AWS::Lambda::Function').find(({ Environment }) =>
      JSON.stringify(Environment).includes('JWKS_URI'),
    ),
  ).Environment.Variables;
  const policy = tokenPolicyFrom(environment);
  let clockOffset = 0;
  const now = (): number => Date.now() + clockOffset;
  let log = recordingLog();
  const jwks = jwksCache({
    algorithms: policy.algorithms,
    fetchJwks: () => fetchJwks(variable(environment, 'JWKS_URI')),
    now,
    log,
  });
  return async (token, secondsLater = 0) => {
    clockOffset = secondsLater * 1000;
    log = recordingLog();
    const dependencies = { policy, callerIdSalt: 'salt', jwks, now, log };
    const decision = await authorize(dependencies, { identitySource: [`Bearer ${token}`] });
    const entries = log.entries.map(([, entry]) => entry);
    if (!('context' in decision)) return { ...decision, entries };
    // Sorted, because issuers list groups in any order.
    const { groups, ...context } = decision.context;
    return {
      isAuthorized: decision.isAuthorized,
      context: { ...context, groups: groups.toSorted() },
      entries,
    };
  };
};

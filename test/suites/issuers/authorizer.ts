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

/** A reference to another resource has no value here. */
const functionSchema = z.object({
  Environment: z.object({ Variables: z.record(z.string(), z.string().catch('')) }),
});

/** Decides on a token as if `secondsLater` had passed, and returns the decision and the log entries. */
export type Decide = (token: string, secondsLater?: number) => Promise<unknown>;

/** An authorizer that has fetched no key set, with the variables that CDK gives it for a stage's tokens. */
export const authorizerFor = (tokens: Stage['tokens']): Decide => {
  const template = templateOf({ ...stageNamed('local'), tokens });
  const environment = functionSchema.parse(
    propertiesOf(template, 'AWS::Lambda::Function').find(({ Environment }) =>
      JSON.stringify(Environment).includes('JWKS_URI'),
    ),
  ).Environment.Variables;
  const policy = tokenPolicyFrom(environment);
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  let log = recordingLog();
  const jwks = jwksCache({
    algorithms: policy.algorithms,
    fetchJwks: () => fetchJwks(variable(environment, 'JWKS_URI')),
    now,
    log,
  });
  return async (token, secondsLater = 0) => {
    ahead = secondsLater * 1000;
    log = recordingLog();
    const dependencies = { policy, callerIdSalt: 'salt', jwks, now, log };
    const decision = await authorize(dependencies, { identitySource: [`Bearer ${token}`] });
    const entries = log.entries.map(([, entry]) => entry);
    if (!('context' in decision)) return { ...decision, entries };
    // Issuers list groups in any order.
    const { groups, ...context } = decision.context;
    return {
      isAuthorized: decision.isAuthorized,
      context: { ...context, groups: groups.toSorted() },
      entries,
    };
  };
};

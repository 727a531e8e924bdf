import { buildHandler } from '../../functions/authorizer/build-handler.ts';
import type { Decision } from '../../functions/authorizer/authorize.ts';
import { cachedJwks } from '../../functions/authorizer/jwks.ts';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import type { Issuer } from '../support/issuer.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { type RecordingLog, recordingLog } from '../support/recording-log.ts';
import type { KeySetState } from './entry.ts';
import { keySetOf } from './keys.ts';

/** An authorizer composed as its handler.ts does, and what it wrote. */
export interface Authorizer {
  readonly decide: (header: string | undefined) => Promise<Decision>;
  readonly log: RecordingLog;
}

const agesOfCopies = { 'copy of 59 minutes': 59 * 60_000, 'copy of an hour': 60 * 60_000 } as const;

/** Starts an authorizer of the rfc9068 profile, unless the environment says otherwise. */
export const startAuthorizer = async (
  issuer: Issuer,
  keySet: KeySetState = 'fetched',
  environment: Environment = {},
): Promise<Authorizer> => {
  let reachable = keySet !== 'out of reach';
  let now = Date.now;
  const log = recordingLog();
  const handler = buildHandler({
    policy: tokenPolicyFrom({
      TOKEN_PROFILE: 'rfc9068',
      TOKEN_ISSUER: issuer.name,
      AUDIENCE: issuer.audience,
      TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
      GROUPS_CLAIM: 'groups',
      ...environment,
    }),
    getKey: cachedJwks({
      fetchJwks: () =>
        reachable ? Promise.resolve(keySetOf(issuer)) : Promise.reject(new Error('The issuer is away.')),
      now: () => now(),
      log,
    }),
    now: () => now(),
    log,
  });
  const decide = (header: string | undefined): Promise<Decision> =>
    handler(header === undefined ? {} : { identitySource: [header] }, lambdaContext);

  if (keySet === 'copy of 59 minutes' || keySet === 'copy of an hour') {
    const age = agesOfCopies[keySet];
    now = () => Date.now() - age;
    await decide(`Bearer ${issuer.token({ claims: { iat: undefined } })}`);
    now = Date.now;
    reachable = false;
  }
  return { decide, log };
};

import { authorize, type Decision } from '../../functions/authorizer/authorize.ts';
import { cachedJwks } from '../../functions/authorizer/jwks.ts';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import type { Issuer } from '../support/issuer.ts';
import { type RecordingLog, recordingLog } from '../support/recording-log.ts';
import type { JwksState } from './entry.ts';
import { jwksOf } from './keys.ts';

export const callerIdSalt = 'salt';

/** An authorizer with the dependencies of its handler.ts, and its log. */
export interface Authorizer {
  readonly decide: (header: string | undefined) => Promise<Decision>;
  readonly log: RecordingLog;
}

const agesOfCopies = { 'copy of 59 minutes': 59 * 60_000, 'copy of an hour': 60 * 60_000 } as const;

/** Starts an authorizer with the profile rfc9068, unless the environment names another one. */
export const startAuthorizer = async (
  issuer: Issuer,
  jwks: JwksState = 'fetched',
  environment: Environment = {},
): Promise<Authorizer> => {
  let reachable = jwks !== 'unreachable';
  let now = Date.now;
  const log = recordingLog();
  const dependencies = {
    policy: tokenPolicyFrom({
      TOKEN_PROFILE: 'rfc9068',
      TOKEN_ISSUER: issuer.name,
      AUDIENCE: issuer.audience,
      TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
      GROUPS_CLAIM: 'groups',
      ...environment,
    }),
    callerIdSalt,
    jwks: cachedJwks({
      algorithms,
      fetchJwks: () =>
        reachable ? Promise.resolve(jwksOf(issuer)) : Promise.reject(new Error('The issuer is unreachable.')),
      now: () => now(),
      log,
    }),
    now: () => now(),
    log,
  };
  const decide = (header: string | undefined): Promise<Decision> =>
    authorize(dependencies, header === undefined ? {} : { identitySource: [header] });

  if (jwks === 'copy of 59 minutes' || jwks === 'copy of an hour') {
    const age = agesOfCopies[jwks];
    now = () => Date.now() - age;
    await decide(`Bearer ${issuer.token({ claims: { iat: undefined } })}`);
    now = Date.now;
    reachable = false;
  }
  return { decide, log };
};

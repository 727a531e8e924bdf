import { authorize, type Decision } from '../../functions/authorizer/authorize.ts';
import { cachedJwks } from '../../functions/authorizer/jwks.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import type { Issuer } from '../support/issuer.ts';
import { type RecordingLog, recordingLog } from '../support/recording-log.ts';
import type { JwksState } from './entry.ts';
import { jwksOf } from './keys.ts';

export const callerIdSalt = 'salt';

/** An authorizer with the dependencies of its handler.ts, and its log. */
export interface Authorizer {
  readonly decide: (header: string) => Promise<Decision>;
  readonly log: RecordingLog;
}

const ageOfCopy = {
  fetched: 0,
  unreachable: 0,
  'copy of 59 minutes': 59 * 60_000,
  'copy of an hour': 3_600_000,
};

/** Starts an authorizer with the profile rfc9068, unless the environment names another one. */
export const startAuthorizer = async (
  issuer: Issuer,
  jwks: JwksState = 'fetched',
  environment: Environment = {},
): Promise<Authorizer> => {
  const age = ageOfCopy[jwks];
  let isReachable = jwks !== 'unreachable';
  let now = (): number => Date.now() - age;
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
        isReachable ? Promise.resolve(jwksOf(issuer)) : Promise.reject(new Error('unreachable')),
      now: () => now(),
      log,
    }),
    now: () => now(),
    log,
  };
  if (age > 0) {
    await dependencies.jwks.current();
    now = Date.now;
    isReachable = false;
  }
  return { decide: (header) => authorize(dependencies, { identitySource: [header] }), log };
};

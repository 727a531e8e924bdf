import {
  authorize,
  type AuthorizerDependencies,
  type AuthorizerEvent,
  type Decision,
} from '../../functions/authorizer/authorize.ts';
import { jwksCache } from '../../functions/authorizer/jwks-cache.ts';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import type { Environment } from '../../functions/runtime/environment.ts';
import type { Issuer } from '../support/issuer.ts';
import { type RecordingLog, recordingLog } from '../support/recording-log.ts';
import { jwksOf } from './keys.ts';

export const callerIdSalt = 'salt';
export const gatewayRequestId = 'JKJaXmPLvHcESHA=';
/** The error of a fetch from an unreachable issuer. Its message must not be logged. */
export const connectionRefused = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });

/** An authorizer with the dependencies of its handler.ts, except for a log and an issuer of the test. */
export interface Authorizer {
  readonly dependencies: AuthorizerDependencies;
  readonly authorize: (event: AuthorizerEvent) => Promise<Decision>;
  readonly decide: (header: string) => Promise<Decision>;
  readonly log: RecordingLog;
  /** Replaces the text of the issuer's key set; undefined makes the issuer unreachable. */
  readonly publish: (keySet: string | undefined) => void;
  /** The number of fetches of the key set so far. */
  readonly fetches: () => number;
}

/** Starts an authorizer with the profile rfc9068, unless the environment names another one. */
export const startAuthorizer = (issuer: Issuer, environment: Environment = {}): Authorizer => {
  let published: string | undefined = JSON.stringify(jwksOf(issuer));
  let fetches = 0;
  const now = (): number => Date.now();
  const log = recordingLog();
  const policy = tokenPolicyFrom({
    TOKEN_PROFILE: 'rfc9068',
    TOKEN_ISSUER: issuer.name,
    AUDIENCE: issuer.audience,
    TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
    GROUPS_CLAIM: 'groups',
    ...environment,
  });
  const fetchJwks = (): Promise<string> => {
    fetches += 1;
    return published === undefined ? Promise.reject(connectionRefused) : Promise.resolve(published);
  };
  const jwks = jwksCache({ algorithms: policy.algorithms, fetchJwks, now, log });
  const dependencies = { policy, callerIdSalt, jwks, now, log };
  return {
    dependencies,
    authorize: (event) => authorize(dependencies, event),
    decide: (header) =>
      authorize(dependencies, { identitySource: [header], requestContext: { requestId: gatewayRequestId } }),
    log,
    publish: (keySet) => {
      published = keySet;
    },
    fetches: () => fetches,
  };
};

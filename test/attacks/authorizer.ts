import {
  authorize,
  type AuthorizerDependencies,
  type AuthorizerEvent,
  type Decision,
} from '../../functions/authorizer/authorize.ts';
import { jwksCache } from '../../functions/authorizer/jwks.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import { parseJsonObject } from '../../functions/shared/json-object.ts';
import type { Issuer } from '../support/issuer.ts';
import { type RecordingLog, recordingLog } from '../support/recording-log.ts';
import { jwksOf } from './keys.ts';

export const callerIdSalt = 'salt';
export const gatewayRequestId = 'JKJaXmPLvHcESHA=';

/** An authorizer with the dependencies of its handler.ts, its log, its issuer and its clock. */
export interface Authorizer {
  readonly dependencies: AuthorizerDependencies;
  readonly authorize: (event: AuthorizerEvent) => Promise<Decision>;
  readonly decide: (header: string) => Promise<Decision>;
  readonly log: RecordingLog;
  /** Replaces the text of the issuer's key set; undefined: the issuer is unreachable. */
  readonly publish: (keySet: string | undefined) => void;
  /** Advances the clock. */
  readonly advanceSeconds: (seconds: number) => void;
}

/** Starts an authorizer with the profile rfc9068, unless the environment names another one. */
export const startAuthorizer = (issuer: Issuer, environment: Environment = {}): Authorizer => {
  let published: string | undefined = JSON.stringify(jwksOf(issuer));
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
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
    jwks: jwksCache({
      algorithms,
      fetchJwks: () =>
        published === undefined
          ? Promise.reject(new Error('unreachable'))
          : Promise.resolve(parseJsonObject(Buffer.from(published))),
      now,
      log,
    }),
    now,
    log,
  };
  const requestContext = { requestId: gatewayRequestId };
  return {
    dependencies,
    authorize: (event) => authorize(dependencies, event),
    decide: (header) => authorize(dependencies, { identitySource: [header], requestContext }),
    log,
    publish: (keySet) => {
      published = keySet;
    },
    advanceSeconds: (seconds) => {
      ahead += seconds * 1000;
    },
  };
};

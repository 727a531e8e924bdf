import { type Environment, variable } from '../runtime/environment.ts';

/** Which tokens are accepted. Each stage has one policy. */
export interface TokenPolicy {
  readonly profile: TokenProfile;
  /** The exact `iss`. */
  readonly issuer: string;
  /** Asymmetric JWS algorithms. */
  readonly algorithms: readonly string[];
  /** The claim that lists the caller's groups. */
  readonly groupsClaim: string;
  /** A scope or role that every token must have, if the stage requires one. */
  readonly requiredScope?: string | undefined;
}

/** How a token shows that it is an access token for this API. claims.ts has the rules. */
export type TokenProfile =
  /** Access tokens by RFC 9068, or of Keycloak, Okta and Entra (`oidc`): `aud` names the API. */
  | { readonly name: 'rfc9068' | 'oidc'; readonly audience: string }
  /**
   * Access tokens of Amazon Cognito: `client_id` is a client of the API. `aud` is present only if the client
   * requested the token for one resource. Without an audience in the stage, tokens with `aud` are denied.
   */
  | {
      readonly name: 'cognito';
      readonly clientIds: readonly string[];
      readonly audience: string | undefined;
    };

/** @throws {Error} a sentence that names the missing or invalid variable */
export const tokenPolicyFrom = (environment: Environment): TokenPolicy => ({
  profile: tokenProfileFrom(environment),
  issuer: variable(environment, 'TOKEN_ISSUER'),
  algorithms: algorithmsFrom(environment),
  groupsClaim: variable(environment, 'GROUPS_CLAIM'),
  requiredScope: environment['REQUIRED_SCOPE'],
});

/** The asymmetric algorithms that jose verifies, except ML-DSA, which Node.js marks as experimental. */
const asymmetric = /^(?:[RPE]S(?:256|384|512)|EdDSA|Ed25519)$/;

const algorithmsFrom = (environment: Environment): readonly string[] => {
  const algorithms = variable(environment, 'TOKEN_ALGORITHMS').split(',');
  if (algorithms.every((algorithm) => asymmetric.test(algorithm))) return algorithms;
  throw new Error(
    'Set the environment variable TOKEN_ALGORITHMS to asymmetric algorithms, such as RS256,ES256,EdDSA.',
  );
};

const tokenProfileFrom = (environment: Environment): TokenProfile => {
  const name = variable(environment, 'TOKEN_PROFILE');
  switch (name) {
    case 'rfc9068':
    case 'oidc':
      return { name, audience: variable(environment, 'AUDIENCE') };
    case 'cognito':
      return {
        name,
        clientIds: variable(environment, 'CLIENT_IDS').split(','),
        audience: environment['AUDIENCE'] === undefined ? undefined : variable(environment, 'AUDIENCE'),
      };
    default:
      throw new Error('Set the environment variable TOKEN_PROFILE to rfc9068, oidc or cognito.');
  }
};

import { type Environment, variable } from '../shared/environment.ts';

/** Which tokens are accepted. Each stage has one policy. */
export interface TokenPolicy {
  readonly profile: TokenProfile;
  /** The exact `iss`. */
  readonly issuer: string;
  /** JWS algorithms. jose verifies none that is symmetric with a key set. */
  readonly algorithms: readonly string[];
  /** The claim that lists the caller's groups. */
  readonly groupsClaim: string;
  /** A scope or role that every token must have; undefined: none. */
  readonly requiredScope?: string | undefined;
}

/** How a token shows that it is an access token for this API. */
export type TokenProfile =
  /** The API in `aud`. RFC 9068: `typ` at+jwt. Keycloak, Okta, Entra (`oidc`): `typ` JWT or none. */
  | { readonly name: 'rfc9068' | 'oidc'; readonly audience: string }
  /**
   * Amazon Cognito access tokens: no `typ`, but `token_use` and `client_id`. Only a token that its client
   * requested for one resource has `aud`: it must be the audience; undefined: tokens with `aud` are denied.
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
  algorithms: variable(environment, 'TOKEN_ALGORITHMS').split(','),
  groupsClaim: variable(environment, 'GROUPS_CLAIM'),
  requiredScope: environment['REQUIRED_SCOPE'],
});

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

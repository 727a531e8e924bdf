import type { Tokens } from './stage.ts';

/** The authorizer's variables about tokens, of which these are always set. */
export type TokenEnvironment = Readonly<Record<string, string>> & {
  readonly TOKEN_ISSUER: string;
  readonly TOKEN_ALGORITHMS: string;
};

/** The variables for the tokens of an issuer that exists. */
export const tokenEnvironment = (
  tokens: Exclude<Tokens, { readonly profile: 'own-user-pool' }>,
): TokenEnvironment => ({
  TOKEN_PROFILE: tokens.profile,
  TOKEN_ISSUER: tokens.issuer,
  JWKS_URI: tokens.jwksUri,
  TOKEN_ALGORITHMS: tokens.algorithms.join(','),
  GROUPS_CLAIM: tokens.groupsClaim,
  ...(tokens.requiredScope !== undefined && { REQUIRED_SCOPE: tokens.requiredScope }),
  ...(tokens.profile === 'cognito'
    ? { CLIENT_IDS: tokens.clientIds.join(',') }
    : { AUDIENCE: tokens.audience }),
});

import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRecovery, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
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

/** A user pool of the stack's own: the authorizer's variables for its tokens, and the outputs that a sign-in needs. */
export const userPool = (
  scope: Construct,
): { readonly environment: TokenEnvironment; readonly outputs: Readonly<Record<string, string>> } => {
  const pool = new UserPool(scope, 'Users', {
    // Users are created with access to this AWS account.
    selfSignUpEnabled: false,
    accountRecovery: AccountRecovery.NONE,
    passwordPolicy: {
      minLength: 12,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
    },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const client = pool.addClient('Client', {
    // This sign-in needs AWS credentials, so it works only from a command line with an AWS login.
    authFlows: { adminUserPassword: true },
    disableOAuth: true,
    preventUserExistenceErrors: true,
    accessTokenValidity: Duration.hours(1),
  });
  return {
    environment: {
      TOKEN_PROFILE: 'cognito',
      TOKEN_ISSUER: pool.userPoolProviderUrl,
      JWKS_URI: `${pool.userPoolProviderUrl}/.well-known/jwks.json`,
      TOKEN_ALGORITHMS: 'RS256',
      GROUPS_CLAIM: 'cognito:groups',
      CLIENT_IDS: client.userPoolClientId,
    },
    outputs: { UserPoolId: pool.userPoolId, UserPoolClientId: client.userPoolClientId },
  };
};

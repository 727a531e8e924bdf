import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccountRecovery, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { Tokens } from './stage.ts';

/** The authorizer's variables, of which these are always set. */
export type TokenEnvironment = Readonly<Record<string, string>> & {
  readonly TOKEN_ISSUER: string;
  readonly TOKEN_ALGORITHMS: string;
};

/** The authorizer's variables about tokens and their callers. Creates the stage's own user pool if it has one. */
export const tokenEnvironment = (scope: Construct, tokens: Tokens): TokenEnvironment => {
  const environment = tokens.profile === 'own-user-pool' ? ownUserPool(scope) : acceptedTokens(tokens);
  new CfnOutput(scope, 'Issuer', { value: environment.TOKEN_ISSUER });
  return {
    ...environment,
    // Unique, stable and known only to those with access to the account, so it needs no secret to be stored.
    CALLER_ID_SALT: Stack.of(scope).stackId,
  };
};

export const acceptedTokens = (
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

const ownUserPool = (scope: Construct): TokenEnvironment => {
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
  new CfnOutput(scope, 'UserPoolId', { value: pool.userPoolId });
  new CfnOutput(scope, 'UserPoolClientId', { value: client.userPoolClientId });
  return {
    TOKEN_PROFILE: 'cognito',
    TOKEN_ISSUER: pool.userPoolProviderUrl,
    JWKS_URI: `${pool.userPoolProviderUrl}/.well-known/jwks.json`,
    TOKEN_ALGORITHMS: 'RS256',
    GROUPS_CLAIM: 'cognito:groups',
    CLIENT_IDS: client.userPoolClientId,
  };
};

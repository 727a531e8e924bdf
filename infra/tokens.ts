import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRecovery, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { IssuedTokens, Stage } from './stage.ts';

/** The authorizer's variables about tokens. */
export const tokenEnvironment = (tokens: IssuedTokens): Readonly<Record<string, string>> => ({
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

/** A stage's tokens, and the outputs that a sign-in to its user pool needs. */
interface StageTokens {
  readonly tokens: IssuedTokens;
  readonly signIn: Readonly<Record<string, string>>;
}

/** The tokens of the stage's issuer, or of a user pool that the stack gets. */
export const stageTokens = (scope: Construct, { tokens }: Stage): StageTokens =>
  tokens.profile === 'own-user-pool' ? userPool(scope) : { tokens, signIn: {} };

const userPool = (scope: Construct): StageTokens => {
  const pool = new UserPool(scope, 'Users', {
    // Creating a user needs access to this AWS account.
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
    // This sign-in needs AWS credentials, so only users of the account can use it.
    authFlows: { adminUserPassword: true },
    disableOAuth: true,
    preventUserExistenceErrors: true,
    accessTokenValidity: Duration.hours(1),
  });
  return {
    tokens: {
      profile: 'cognito',
      issuer: pool.userPoolProviderUrl,
      jwksUri: `${pool.userPoolProviderUrl}/.well-known/jwks.json`,
      algorithms: ['RS256'],
      groupsClaim: 'cognito:groups',
      clientIds: [client.userPoolClientId],
    },
    signIn: { UserPoolId: pool.userPoolId, UserPoolClientId: client.userPoolClientId },
  };
};

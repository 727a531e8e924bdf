import { CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRecovery, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Stage } from './stage.ts';

/** What the authorizer is told about the tokens to accept; makes the stage's own user pool where it has one. */
export const tokenEnvironment = (
  scope: Construct,
  tokens: Stage['tokens'],
): Readonly<Record<string, string>> => {
  if (tokens.profile === 'own-user-pool') return ownUserPool(scope);
  return {
    TOKEN_PROFILE: tokens.profile,
    TOKEN_ISSUER: tokens.issuer,
    JWKS_URI: tokens.jwksUri,
    TOKEN_ALGORITHMS: tokens.algorithms.join(','),
    GROUPS_CLAIM: tokens.groupsClaim,
    ...(tokens.profile === 'cognito'
      ? { CLIENT_IDS: tokens.clientIds.join(',') }
      : { AUDIENCE: tokens.audience }),
  };
};

const ownUserPool = (scope: Construct): Readonly<Record<string, string>> => {
  const pool = new UserPool(scope, 'Users', {
    // Whoever may use this AWS account makes the users.
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
  acknowledge(
    pool,
    {
      rules: ['AwsSolutions-COG2'],
      reason:
        'Only somebody who is logged in to this AWS account can make a user or sign one in, so a second factor is the account’s to ask for.',
    },
    {
      rules: ['AwsSolutions-COG8'],
      reason:
        'The Plus plan costs money for each user and guards sign-ins from outside, of which this pool allows none.',
    },
  );
  const client = pool.addClient('Client', {
    // For a command line under an AWS login; no password of a user goes over it from anywhere else.
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

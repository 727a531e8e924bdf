import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { AccountRecovery, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { IssuedTokens } from './stage-settings.ts';

/** The authorizer's variables about tokens. */
export const tokenEnvironment = (tokens: IssuedTokens): Readonly<Record<string, string>> => ({
  TOKEN_PROFILE: tokens.profile,
  TOKEN_ISSUER: tokens.issuer,
  JWKS_URI: tokens.jwksUri,
  TOKEN_ALGORITHMS: tokens.algorithms.join(','),
  ...(tokens.requiredScope !== undefined && { REQUIRED_SCOPE: tokens.requiredScope }),
  ...(tokens.profile === 'cognito'
    ? { CLIENT_IDS: tokens.clientIds.join(','), GROUPS_CLAIM: 'cognito:groups' }
    : { AUDIENCE: tokens.audience, GROUPS_CLAIM: tokens.groupsClaim }),
});

/** Makes a user pool, whose users get the tokens. */
export const userPoolTokens = (stack: Stack): IssuedTokens => {
  const pool = new UserPool(stack, 'Users', {
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
  });
  const client = pool.addClient('Client', {
    // This sign-in needs AWS credentials, so only users of the account can use it.
    authFlows: { adminUserPassword: true },
    disableOAuth: true,
    preventUserExistenceErrors: true,
  });
  // For a sign-in.
  new CfnOutput(stack, 'UserPoolId', { value: pool.userPoolId });
  new CfnOutput(stack, 'UserPoolClientId', { value: client.userPoolClientId });
  return {
    profile: 'cognito',
    issuer: pool.userPoolProviderUrl,
    jwksUri: `${pool.userPoolProviderUrl}/.well-known/jwks.json`,
    algorithms: ['RS256'],
    clientIds: [client.userPoolClientId],
  };
};

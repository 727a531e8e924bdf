import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { AccountRecovery, UserPool } from 'aws-cdk-lib/aws-cognito';
import { removalPolicyOf } from './data-policy.ts';
import type { IssuedTokens, Stage } from './stage-type.ts';

/** Makes a user pool, and returns the settings with which the authorizer accepts the tokens of its users. */
export const userPoolTokens = (stack: Stack, stage: Stage): IssuedTokens => {
  const pool = new UserPool(stack, 'Users', {
    removalPolicy: removalPolicyOf(stage),
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
  // A sign-in needs both ids.
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

import { Duration, type Stack } from 'aws-cdk-lib';
import { type FunctionSettings, ServiceFunction } from './service-function.ts';
import type { IssuedTokens } from './stage-type.ts';
import { authorizerTimeoutSeconds } from './timeouts.ts';

interface AuthorizerProps extends FunctionSettings {
  /** The tokens that the authorizer accepts. */
  readonly tokens: IssuedTokens;
}

/** The function that decides who may call the API. */
export const authorizerFunction = (stack: Stack, { tokens, ...settings }: AuthorizerProps): ServiceFunction =>
  new ServiceFunction(stack, 'Authorizer', {
    ...settings,
    folder: 'authorizer',
    description: 'Decides who may call the API',
    // The fastest size at about the lowest price per request (docs/decisions.md, “Smaller decisions”).
    memorySize: 512,
    timeout: Duration.seconds(authorizerTimeoutSeconds),
    // The salt is unique, stable, and visible only to users of the account, so no secret need be stored.
    environment: { ...tokenEnvironment(tokens), CALLER_ID_SALT: stack.stackId },
  });

/** The authorizer's environment variables about tokens. */
export const tokenEnvironment = (tokens: IssuedTokens): Readonly<Record<string, string>> => ({
  TOKEN_PROFILE: tokens.profile,
  TOKEN_ISSUER: tokens.issuer,
  JWKS_URI: tokens.jwksUri,
  TOKEN_ALGORITHMS: tokens.algorithms.join(','),
  ...(tokens.requiredScope !== undefined && { REQUIRED_SCOPE: tokens.requiredScope }),
  ...(tokens.audience !== undefined && { AUDIENCE: tokens.audience }),
  ...(tokens.profile === 'cognito'
    ? { CLIENT_IDS: tokens.clientIds.join(','), GROUPS_CLAIM: 'cognito:groups' }
    : { GROUPS_CLAIM: tokens.groupsClaim }),
});

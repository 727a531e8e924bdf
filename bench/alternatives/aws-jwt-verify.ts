import { JwtVerifier } from 'aws-jwt-verify';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import type { Decision } from '../../functions/authorizer/authorize.ts';
import { variable } from '../../functions/shared/environment.ts';
import { decisionFor } from './decision.ts';

/** Shared with the variant that fetches the key set during initialization. */
export const verifier = JwtVerifier.create({
  issuer: variable(process.env, 'TOKEN_ISSUER'),
  audience: variable(process.env, 'AUDIENCE'),
  jwksUri: variable(process.env, 'JWKS_URI'),
});

/** As in the README of aws-jwt-verify, for an issuer other than Cognito. */
export const handler = async ({ identitySource }: APIGatewayRequestAuthorizerEventV2): Promise<Decision> => {
  const token = /^Bearer (.+)$/.exec(identitySource[0] ?? '')?.[1] ?? '';
  try {
    return decisionFor(await verifier.verify(token));
  } catch {
    return { isAuthorized: false };
  }
};

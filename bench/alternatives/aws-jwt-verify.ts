import { JwtVerifier } from 'aws-jwt-verify';
import { variable } from '../../functions/shared/environment.ts';
import { authorizerWith } from './decision.ts';

/** Shared with the variant that fetches the key set during initialization. */
export const verifier = JwtVerifier.create({
  issuer: variable(process.env, 'TOKEN_ISSUER'),
  audience: variable(process.env, 'AUDIENCE'),
  jwksUri: variable(process.env, 'JWKS_URI'),
});

/** As in the README of aws-jwt-verify, for an issuer other than Cognito. */
export const handler = authorizerWith((token) => verifier.verify(token));

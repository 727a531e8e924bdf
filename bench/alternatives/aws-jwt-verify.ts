import { JwtVerifier } from 'aws-jwt-verify';
import { variable } from '../../functions/runtime/environment.ts';
import { authorizerWith } from './decision.ts';

const verifier = JwtVerifier.create({
  issuer: variable(process.env, 'TOKEN_ISSUER'),
  audience: variable(process.env, 'AUDIENCE'),
  jwksUri: variable(process.env, 'JWKS_URI'),
});

// The README of aws-jwt-verify shows this for Lambda: outside the handler, with a top-level await.
await verifier.hydrate();

export const handler = authorizerWith((token) => verifier.verify(token));

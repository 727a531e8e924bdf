import { createRemoteJWKSet, jwtVerify } from 'jose';
import { variable } from '../../functions/runtime/environment.ts';
import { authorizerWith } from './decision.ts';

const jwks = createRemoteJWKSet(new URL(variable(process.env, 'JWKS_URI')));
const expected = {
  issuer: variable(process.env, 'TOKEN_ISSUER'),
  audience: variable(process.env, 'AUDIENCE'),
  typ: 'at+jwt',
};

/** As in jose's documentation of `createRemoteJWKSet`. */
export const handler = authorizerWith(async (token) => (await jwtVerify(token, jwks, expected)).payload);

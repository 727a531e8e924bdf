import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Decision } from '../../functions/authorizer/authorize.ts';
import { variable } from '../../functions/shared/environment.ts';
import { decisionFor } from './decision.ts';

const jwks = createRemoteJWKSet(new URL(variable(process.env, 'JWKS_URI')));
const expected = {
  issuer: variable(process.env, 'TOKEN_ISSUER'),
  audience: variable(process.env, 'AUDIENCE'),
  typ: 'at+jwt',
};

/** As in jose's documentation of `createRemoteJWKSet`. */
export const handler = async ({ identitySource }: APIGatewayRequestAuthorizerEventV2): Promise<Decision> => {
  const token = /^Bearer (.+)$/.exec(identitySource[0] ?? '')?.[1] ?? '';
  try {
    const { payload } = await jwtVerify(token, jwks, expected);
    return decisionFor(payload);
  } catch {
    return { isAuthorized: false };
  }
};

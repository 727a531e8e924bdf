import { describe, expect, it, vi } from 'vitest';
import type { AuthorizerEvent } from '../../../functions/authorizer/authorize.ts';
import { JwksUnavailable } from '../../../functions/authorizer/jwks.ts';
import { gatewayRequestId, startAuthorizer } from '../../attacks/authorizer.ts';
import { issuerOf } from '../../support/issuer.ts';
import { ecKey } from '../../support/tokens.ts';

const issuer = issuerOf(ecKey('ec'), 'https://login.example.com/', 'plant-store');
const authorization = `Bearer ${issuer.token()}`;
const requestContext = { requestId: gatewayRequestId };

describe('the authorizer', () => {
  it.each<[string, AuthorizerEvent & { readonly headers?: object }]>([
    ['no identity source', { requestContext }],
    ['the token only in the headers', { headers: { authorization }, requestContext }],
  ])('denies a request with %s, and logs its id in the gateway', async (_, event) => {
    const { authorize, log } = startAuthorizer(issuer);
    expect(await authorize(event)).toEqual({ isAuthorized: false });
    expect(log.entries).toEqual([
      ['info', { event: 'denied', reason: 'not-a-bearer-token', gatewayRequestId }],
    ]);
  });

  it.each<[what: string, cause: string, reason: string | undefined, error: Error]>([
    ['an unexpected error', 'TypeError', undefined, new TypeError('secret')],
    ['a failed fetch without a cached key set', 'JwksUnavailable', undefined, new JwksUnavailable(false)],
    ['a failed fetch for an unknown key', 'JwksUnavailable', 'unknown-key', new JwksUnavailable(true)],
  ])('logs only cause and reason when it cannot decide because of %s', async (_, cause, reason, error) => {
    const { dependencies, decide, log } = startAuthorizer(issuer);
    vi.spyOn(dependencies.jwks, 'current').mockRejectedValue(error);
    await expect(decide(authorization)).rejects.toBe(error);
    expect(log.entries).toEqual([['error', { event: 'undecided', cause, reason, gatewayRequestId }]]);
  });
});

import { describe, expect, it } from 'vitest';
import { authorize, type AuthorizerEvent } from '../../../functions/authorizer/authorize.ts';
import { JwksUnavailable } from '../../../functions/authorizer/jwks.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey, signToken } from '../../support/tokens.ts';

const token = signToken(ecKey('ec'), { typ: 'at+jwt' }, {});
const gatewayRequestId = 'JKJaXmPLvHcESHA=';
const requestContext = { requestId: gatewayRequestId };

/** An authorizer without keys, and its log. */
const authorizerWith = (failure: Error) => {
  const log = recordingLog();
  const keys = (): Promise<never> => Promise.reject(failure);
  const dependencies = {
    policy: {
      profile: { name: 'rfc9068', audience: 'plant-store' },
      issuer: 'https://login.example.com/',
      algorithms: ['ES256'],
      groupsClaim: 'groups',
    },
    callerIdSalt: 'salt',
    jwks: { current: keys, latest: keys, preload: keys },
    now: () => 0,
    log,
  } as const;
  return { log, decide: (event: AuthorizerEvent) => authorize(dependencies, event) };
};

describe('the authorizer', () => {
  it.each<[string, AuthorizerEvent & { readonly headers?: object }]>([
    ['no identity source', { requestContext }],
    ['the token only in the headers', { headers: { authorization: `Bearer ${token}` }, requestContext }],
  ])('denies a request with %s, and logs its id in the gateway', async (_, event) => {
    const { decide, log } = authorizerWith(new Error());
    expect(await decide(event)).toEqual({ isAuthorized: false });
    expect(log.entries).toEqual([
      ['info', { event: 'denied', reason: 'not-a-bearer-token', gatewayRequestId }],
    ]);
  });

  it.each<[cause: string, reason: string | undefined, error: Error]>([
    ['TypeError', undefined, new TypeError('secret')],
    ['JwksUnavailable', undefined, new JwksUnavailable(false)],
    ['JwksUnavailable', 'unknown-key', new JwksUnavailable(true)],
  ])('logs that it cannot decide, with cause %s and reason %s only', async (cause, reason, error) => {
    const { decide, log } = authorizerWith(error);
    await expect(decide({ identitySource: [`Bearer ${token}`], requestContext })).rejects.toBe(error);
    expect(log.entries).toEqual([['error', { event: 'undecided', cause, reason, gatewayRequestId }]]);
  });
});

import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import {
  authorize,
  type AuthorizerEvent,
  callerIdOf,
  type Dependencies,
} from '../../../functions/authorizer/authorize.ts';
import { cachedJwks } from '../../../functions/authorizer/jwks.ts';
import { authorizerEvent } from '../../../local/gateway/event.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey, signToken } from '../../support/tokens.ts';

const now = Date.UTC(2030, 0, 1);
const key = ecKey('ec-1');
const claims = { iss: 'https://login.example.com/', aud: 'plant-store', sub: 'alice', exp: now / 1000 + 60 };
const token = signToken(key, { typ: 'at+jwt' }, claims);

const log = recordingLog();
const dependencies: Dependencies = {
  policy: {
    profile: { name: 'rfc9068', audience: 'plant-store' },
    issuer: 'https://login.example.com/',
    algorithms: ['ES256'],
    groupsClaim: 'groups',
  },
  callerIdSalt: 'salt',
  jwks: cachedJwks({
    algorithms: ['ES256'],
    fetchJwks: () => Promise.resolve({ keys: [key.jwk] }),
    now: () => now,
    log,
  }),
  now: () => now,
  log,
};

/** The part of the gateway's event that holds the request's id. */
const contextOf = (requestId: string): APIGatewayRequestAuthorizerEventV2['requestContext'] =>
  authorizerEvent(
    { method: 'GET', target: '/plants', headers: {}, body: undefined, sourceIp: '127.0.0.1' },
    { routeKey: 'GET /plants', pathParameters: {}, requestId, time: now },
    [],
  ).requestContext;

describe('the authorizer', () => {
  it('allows a valid token, and returns its caller', async () => {
    expect(await authorize(dependencies, { identitySource: [`Bearer ${token}`] })).toEqual({
      isAuthorized: true,
      context: {
        subject: 'alice',
        groups: [],
        expiresAt: now / 1000 + 60,
        callerId: callerIdOf('salt', 'https://login.example.com/', 'alice'),
      },
    });
  });

  it.each<[string, AuthorizerEvent & { readonly headers?: object }]>([
    ['no identity source', {}],
    ['an empty identity source', { identitySource: [] }],
    ['an empty header', { identitySource: [''] }],
    ['the token only in the headers', { headers: { authorization: `Bearer ${token}` } }],
  ])('denies a request with %s', async (_, event) => {
    expect(await authorize(dependencies, event)).toEqual({ isAuthorized: false });
  });

  it('logs why it denies a request, with the id that the gateway gave the request', async () => {
    const event = { identitySource: ['Basic x'], requestContext: contextOf('JKJaXmPLvHcESHA=') };
    await authorize(dependencies, event);
    expect(log.entries.at(-1)).toEqual([
      'info',
      { event: 'denied', reason: 'not-a-bearer-token', gatewayRequestId: 'JKJaXmPLvHcESHA=' },
    ]);
  });

  it('logs that it cannot decide, with the same id', async () => {
    const withoutKeys = {
      ...dependencies,
      jwks: {
        current: () => Promise.reject(new TypeError('secret')),
        latest: () => Promise.reject(new TypeError('secret')),
      },
    };
    const event = { identitySource: [`Bearer ${token}`], requestContext: contextOf('LKJaXmPLvHcESHA=') };
    await expect(authorize(withoutKeys, event)).rejects.toThrow('secret');
    expect(log.entries.at(-1)).toEqual([
      'error',
      { event: 'undecided', cause: 'TypeError', gatewayRequestId: 'LKJaXmPLvHcESHA=' },
    ]);
  });
});

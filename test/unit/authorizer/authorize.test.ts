import { afterEach, describe, expect, it, vi } from 'vitest';
import { authorize } from '../../../functions/authorizer/authorize.ts';
import { gatewayRequestId, startAuthorizer, connectionRefused } from '../../attacks/authorizer.ts';
import { issuerOf } from '../../support/issuer.ts';
import { ecKey } from '../../support/signing-keys.ts';

const issuer = issuerOf(ecKey('ec-1'), 'https://login.example.com/', 'plant-store');
const authorization = `Bearer ${issuer.token()}`;
const requestContext = { requestId: gatewayRequestId };

describe('the authorizer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('denies a request without an identity source, and logs the gateway’s request id', async () => {
    const { dependencies, log } = startAuthorizer(issuer);
    expect(await authorize(dependencies, { requestContext })).toEqual({ isAuthorized: false });
    expect(log.entries).toEqual([
      ['info', { event: 'denied', reason: 'not-a-bearer-token', gatewayRequestId }],
    ]);
  });

  it.each([
    ['k'.repeat(65), 'k'.repeat(64)],
    ['x\r\n\u202e{"event":"allowed"}\u007f', 'x???{"event":"allowed"}?'],
  ])('logs the unknown key id %j as %j', async (kid, logged) => {
    const { decide, log } = startAuthorizer(issuer);
    await decide(`Bearer ${issuer.token({ header: { kid } })}`);
    expect(log.entries).toEqual([
      ['info', { event: 'denied', reason: 'unknown-key', kid: logged, gatewayRequestId }],
    ]);
  });

  it('logs no key id that is a number', async () => {
    const { decide, log } = startAuthorizer(issuer);
    await decide(`Bearer ${issuer.token({ header: { kid: 7 } })}`);
    expect(log.entries).toEqual([['info', { event: 'denied', reason: 'unknown-key', gatewayRequestId }]]);
  });

  // The corpus of test/attacks tests all other claims.
  const decideOn = (claim: string, secondsFromNow: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
    const token = issuer.token({ claims: { [claim]: Date.now() / 1000 + secondsFromNow } });
    return startAuthorizer(issuer).decide(`Bearer ${token}`);
  };

  it.each([
    ['exp', 0.001],
    ['nbf', 60],
    ['iat', 60],
  ])('allows a token whose %s is %d seconds from now', async (claim, secondsFromNow) => {
    expect(await decideOn(claim, secondsFromNow)).toMatchObject({ isAuthorized: true });
  });

  it.each([
    ['exp', 0],
    ['nbf', 61],
    ['iat', 60.001],
  ])('denies a token whose %s is %d seconds from now', async (claim, secondsFromNow) => {
    expect(await decideOn(claim, secondsFromNow)).toEqual({ isAuthorized: false });
  });

  it.each([
    ['rfc9068', 'TOKEN_PROFILE', 'saml', 'to rfc9068, oidc or cognito.'],
    ['rfc9068', 'AUDIENCE', '', 'AUDIENCE'],
    ['cognito', 'AUDIENCE', '', 'AUDIENCE'],
    ['rfc9068', 'TOKEN_ISSUER', '', 'TOKEN_ISSUER'],
    ...['', 'HS256', 'none', 'RS256,HS512', 'RS256, ES256', 'RS256,', 'rs256', 'ES256K', 'ES-256', 'dir'].map(
      (value) => ['oidc', 'TOKEN_ALGORITHMS', value, 'TOKEN_ALGORITHMS'],
    ),
  ])('with the profile %s, refuses to start if %s is “%s”', (TOKEN_PROFILE, name, value, problem) => {
    const environment = { TOKEN_PROFILE, CLIENT_IDS: 'web', [name]: value };
    expect(() => startAuthorizer(issuer, environment)).toThrow(problem);
  });

  it('throws an unexpected error, and logs only the name of the error', async () => {
    const { dependencies, log } = startAuthorizer(issuer);
    const decide = authorize({ ...dependencies, now: () => NaN }, { identitySource: [authorization] });
    await expect(decide).rejects.toThrow(TypeError);
    expect(log.entries).toEqual([['error', { event: 'undecided', cause: 'TypeError' }]]);
  });

  it('throws JwksUnavailable if the issuer is down, and logs the code of the cause', async () => {
    const { decide, publish, log } = startAuthorizer(issuer);
    publish(undefined);
    const message = 'The key set of the issuer is not available.';
    await expect(decide(authorization)).rejects.toMatchObject({
      name: 'JwksUnavailable',
      message,
      cause: connectionRefused,
    });
    expect(log.entries).toEqual([
      ['error', { event: 'key-set-unavailable', cause: 'ECONNREFUSED' }],
      ['error', { event: 'undecided', cause: 'JwksUnavailable', gatewayRequestId }],
    ]);
  });
});

// The suite `issuers` proves: with the settings in docs/issuers.md, access tokens of Keycloak in two profiles
// and of an emulated Cognito are allowed, and other tokens of these issuers are denied. The suite cannot show
// Auth0, Okta and Entra, or tokens of Cognito for one resource, so docs/issuers.md cites their documentation.
import { beforeAll, describe, expect, it } from 'vitest';
import { partsOf, textOf } from '../../support/tokens.ts';
import { authorizerFor, type Decide } from './authorizer.ts';
import { cognito } from './cognito.ts';
import { keycloak } from './keycloak.ts';

/** The lifetime of access tokens. */
const lifetimeSeconds = 3600;
/** The age of the key set from which an unknown key causes a new fetch. */
const minFetchAgeSeconds = 5;
/** The age of the key set at which the authorizer fetches it again. */
const refreshAgeSeconds = 600;

/** The header of a token, which names its key. */
const headerOf = (token: string): string => textOf(partsOf(token)[0]);

describe.each([keycloak('oidc'), keycloak('rfc9068'), cognito()])('$name', (issuer) => {
  let decide: Decide;
  beforeAll(async () => {
    await issuer.start();
    decide = authorizerFor(issuer.tokens());
  });

  const expiresAt: unknown = expect.any(Number);
  const callerId: unknown = expect.stringMatching(/^[0-9a-f]{16}$/);
  const allowed = (): object => ({
    isAuthorized: true,
    context: { ...issuer.caller(), expiresAt, callerId },
    entries: [],
  });
  const denied = (reason: string): object => ({
    isAuthorized: false,
    entries: [expect.objectContaining({ event: 'denied', reason })],
  });

  it('allows the access token of a user with the user’s groups, and denies it after it expired', async () => {
    const { access } = await issuer.signIn();
    expect(await decide(access)).toEqual(allowed());
    expect(await decide(access, lifetimeSeconds)).toEqual(denied('lifetime'));
  });

  it('allows a refreshed access token', async () => {
    const { refresh } = await issuer.signIn();
    expect(await decide(await issuer.refresh(refresh))).toEqual(allowed());
  });

  it.each(issuer.allowed)('allows %s', async (_, token) => {
    expect(await decide(await token())).toEqual(allowed());
  });

  it.each(issuer.denied)('denies %s, and logs the reason %s', async (_, reason, token) => {
    expect(await decide(await token())).toEqual(denied(reason));
  });

  const { rotation } = issuer;
  if (rotation === undefined) return;

  it('allows tokens of a new key, and those of a withdrawn key only until the next refresh', async () => {
    const decideWithCache = authorizerFor(issuer.tokens());
    const { access: tokenOfOldKey } = await issuer.signIn();
    expect(await decideWithCache(tokenOfOldKey)).toEqual(allowed());
    await rotation.addKey();
    const { access: tokenOfNewKey } = await issuer.signIn();
    expect(headerOf(tokenOfNewKey)).not.toBe(headerOf(tokenOfOldKey));
    expect(await decideWithCache(tokenOfNewKey, minFetchAgeSeconds)).toEqual(allowed());
    expect(await decideWithCache(tokenOfOldKey, minFetchAgeSeconds)).toEqual(allowed());

    await rotation.withdrawKey();
    expect(await decideWithCache(tokenOfOldKey, refreshAgeSeconds / 2)).toEqual(allowed());
    // The key set was fetched for the new key at `minFetchAgeSeconds`.
    const nextRefresh = minFetchAgeSeconds + refreshAgeSeconds;
    expect(await decideWithCache(tokenOfNewKey, nextRefresh)).toEqual(allowed());
    expect(await decideWithCache(tokenOfOldKey, nextRefresh)).toEqual(denied('unknown-key'));
  });
});

it('denies an access token of Cognito without `aud` in a stage with an audience', async () => {
  const issuer = cognito({ audience: 'https://plants.example.com' });
  await issuer.start();
  const { access } = await issuer.signIn();
  expect(await authorizerFor(issuer.tokens())(access)).toEqual({
    isAuthorized: false,
    entries: [{ event: 'denied', reason: 'audience' }],
  });
});

// The suite `issuers` proves: with the settings in docs/issuers.md, access tokens of Keycloak, in two
// profiles, and of an emulated Cognito are allowed, and their other tokens are denied. It cannot show Auth0,
// Okta and Entra, nor tokens of Cognito for one resource: docs/issuers.md cites their documentation.
import { beforeAll, describe, expect, it } from 'vitest';
import { partsOf, textOf } from '../../support/tokens.ts';
import { authorizerFor, type Decide } from './authorizer.ts';
import { cognito } from './cognito.ts';
import { keycloak } from './keycloak.ts';

/** In seconds. */
const lifetime = 3600;
/** In seconds: no token causes another fetch of a key set that is younger. */
const minFetchAge = 5;
/** In seconds: the age at which the authorizer fetches the keys again. */
const refreshAge = 600;

/** The header of a token, which names its key. */
const headerOf = (token: string): string => textOf(partsOf(token)[0]);

describe.each([keycloak('oidc'), keycloak('rfc9068'), cognito()])('$name', (issuer) => {
  let decide: Decide;
  beforeAll(async () => {
    await issuer.start();
    decide = authorizerFor(issuer.record());
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

  it('allows the access token of a user, with the user’s groups, until it expires', async () => {
    const { access } = await issuer.signIn();
    expect(await decide(access)).toEqual(allowed());
    expect(await decide(access, lifetime)).toEqual(denied('lifetime'));
  });

  it('allows a refreshed access token', async () => {
    const { refresh } = await issuer.signIn();
    expect(await decide(await issuer.refresh(refresh))).toEqual(allowed());
  });

  it.each(issuer.allowed)('allows %s', async (_, token) => {
    expect(await decide(await token())).toEqual(allowed());
  });

  it.each(issuer.denied)('denies %s', async (_, reason, token) => {
    expect(await decide(await token())).toEqual(denied(reason));
  });

  const { rotation } = issuer;
  if (rotation === undefined) return;

  it('allows tokens of a new key, and those of a withdrawn key until the next refresh', async () => {
    const warm = authorizerFor(issuer.record());
    const { access: old } = await issuer.signIn();
    expect(await warm(old)).toEqual(allowed());
    await rotation.addKey();
    const { access: latest } = await issuer.signIn();
    expect(headerOf(latest)).not.toBe(headerOf(old));
    expect(await warm(latest, minFetchAge)).toEqual(allowed());
    expect(await warm(old, minFetchAge)).toEqual(allowed());

    await rotation.withdrawKey();
    expect(await warm(old, refreshAge / 2)).toEqual(allowed());
    const refreshed = minFetchAge + refreshAge;
    expect(await warm(latest, refreshed)).toEqual(allowed());
    expect(await warm(old, refreshed)).toEqual(denied('unknown-key'));
  });
});

it('denies an access token of Cognito without `aud` in a stage with an audience', async () => {
  const issuer = cognito({ audience: 'https://plants.example.com' });
  await issuer.start();
  const { access } = await issuer.signIn();
  expect(await authorizerFor(issuer.record())(access)).toEqual({
    isAuthorized: false,
    entries: [{ event: 'denied', reason: 'audience' }],
  });
});

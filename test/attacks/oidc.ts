import type { StageCases } from './authorization-case.ts';

/** Tokens of Keycloak, Okta and Entra. */
export const oidc: StageCases = {
  stage: 'with the profile oidc',
  environment: { TOKEN_PROFILE: 'oidc' },
  valid: { header: { typ: 'JWT' } },
  cases: [
    { title: 'allows the typ JWT', header: { typ: 'JWT' }, decision: 'allowed' },
    { title: 'allows a token without typ', header: { typ: undefined }, decision: 'allowed' },
    { title: 'denies the typ at+jwt', header: { typ: 'at+jwt' }, decision: 'token-type' },
    { title: 'denies the typ of logout tokens', header: { typ: 'logout+jwt' }, decision: 'token-type' },
    {
      title: 'allows the claim typ of Keycloak’s access tokens',
      claims: { typ: 'Bearer' },
      decision: 'allowed',
    },
    {
      // Before version 24, Keycloak's access tokens have a nonce.
      title: 'allows the claim nonce, which is not only in ID tokens',
      claims: { nonce: 'n' },
      decision: 'allowed',
    },
    { title: 'denies the claim typ of Keycloak’s ID tokens', claims: { typ: 'ID' }, decision: 'token-type' },
    {
      title: 'denies the claim typ of Keycloak’s refresh tokens',
      claims: { typ: 'Refresh' },
      decision: 'token-type',
    },
    { title: 'denies null as the claim typ', claims: { typ: null }, decision: 'token-type' },
    {
      title: 'denies at_hash, a claim of ID tokens',
      claims: { at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' },
      decision: 'token-type',
    },
    {
      title: 'denies c_hash, a claim of ID tokens',
      claims: { c_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' },
      decision: 'token-type',
    },
    {
      title: 'denies s_hash, a claim of ID tokens',
      claims: { s_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' },
      decision: 'token-type',
    },
    {
      title: 'denies events, a claim of logout tokens',
      claims: { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
      decision: 'token-type',
    },
    { title: 'denies a token for another client', claims: { aud: 'web' }, decision: 'audience' },
    { title: 'denies a token without aud', claims: { aud: undefined }, decision: 'audience' },
  ],
};

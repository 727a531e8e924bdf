import { describe, expect, it } from 'vitest';
import { tokenPolicyFrom } from '../../../functions/authorizer/token-policy.ts';

const common = {
  TOKEN_ISSUER: 'https://login.example.com/',
  TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
  GROUPS_CLAIM: 'groups',
};
const rfc9068 = { ...common, TOKEN_PROFILE: 'rfc9068', AUDIENCE: 'plant-store' };
const oidc = { ...rfc9068, TOKEN_PROFILE: 'oidc' };
const cognito = { ...common, TOKEN_PROFILE: 'cognito', CLIENT_IDS: 'web,phone' };

describe('the token policy', () => {
  it.each([
    ['rfc9068', rfc9068, { audience: 'plant-store' }],
    ['oidc', oidc, { audience: 'plant-store' }],
    ['cognito', cognito, { clientIds: ['web', 'phone'] }],
  ])('is read from the environment for the profile %s', (name, environment, profile) => {
    expect(tokenPolicyFrom({ ...environment, REQUIRED_SCOPE: '' })).toEqual({
      profile: { name, ...profile },
      issuer: 'https://login.example.com/',
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      groupsClaim: 'groups',
    });
  });

  it.each([
    ['TOKEN_PROFILE', oidc],
    ['TOKEN_ISSUER', oidc],
    ['TOKEN_ALGORITHMS', oidc],
    ['GROUPS_CLAIM', oidc],
    ['AUDIENCE', oidc],
    ['CLIENT_IDS', cognito],
  ])('is rejected when %s is missing or empty, and the error names it', (name, environment) => {
    for (const value of [undefined, '']) {
      expect(() => tokenPolicyFrom({ ...environment, [name]: value })).toThrow(name);
    }
  });

  it.each([
    [
      'TOKEN_ALGORITHMS',
      'to one or more of RS256,ES256,EdDSA.',
      'HS256',
      'none',
      'RS256,RS512',
      'rs256',
      'RS256, ES256',
    ],
    ['TOKEN_PROFILE', 'to rfc9068, oidc or cognito.', 'saml'],
  ])('is rejected for other values of %s, and the error lists the allowed ones', (name, which, ...values) => {
    const sentence = `Set the environment variable ${name} ${which}`;
    for (const value of values)
      expect(() => tokenPolicyFrom({ ...rfc9068, [name]: value })).toThrow(sentence);
  });
});

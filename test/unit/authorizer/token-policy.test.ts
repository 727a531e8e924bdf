import { expect, it } from 'vitest';
import { tokenPolicyFrom } from '../../../functions/authorizer/token-policy.ts';

const common = {
  TOKEN_ISSUER: 'https://login.example.com/',
  TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
  GROUPS_CLAIM: 'groups',
};
const rfc9068 = { ...common, TOKEN_PROFILE: 'rfc9068', AUDIENCE: 'plant-store' };
const oidc = { ...rfc9068, TOKEN_PROFILE: 'oidc' };
const cognito = { ...common, TOKEN_PROFILE: 'cognito', CLIENT_IDS: 'web,phone' };

it.each([
  ['rfc9068', rfc9068, { audience: 'plant-store' }],
  ['oidc', oidc, { audience: 'plant-store' }],
  ['cognito', cognito, { clientIds: ['web', 'phone'] }],
])('reads a policy with the profile %s from the environment', (name, environment, profile) => {
  expect(tokenPolicyFrom({ ...environment, REQUIRED_SCOPE: '' })).toEqual({
    profile: { name, ...profile },
    issuer: 'https://login.example.com/',
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    groupsClaim: 'groups',
  });
});

it.each([
  ...['TOKEN_PROFILE', 'TOKEN_ISSUER', 'TOKEN_ALGORITHMS', 'GROUPS_CLAIM', 'AUDIENCE'].map(
    (name) => [name, oidc] as const,
  ),
  ['CLIENT_IDS', cognito] as const,
])('rejects a policy without %s, and names it', (name, environment) => {
  expect(() => tokenPolicyFrom({ ...environment, [name]: '' })).toThrow(`variable ${name}.`);
});

it('rejects another profile, and says what to set it to', () => {
  const sentence = 'Set the environment variable TOKEN_PROFILE to rfc9068, oidc or cognito.';
  expect(() => tokenPolicyFrom({ ...rfc9068, TOKEN_PROFILE: 'saml' })).toThrow(sentence);
});

import type { StageCases } from './authorization-case.ts';

/** `hasgroups` and `groups:src1` of Entra are only about the claim `groups`, which this stage ignores. */
export const groupsInRoles: StageCases = {
  stage: 'whose groups are in the claim roles',
  environment: { GROUPS_CLAIM: 'roles' },
  valid: { claims: { roles: ['gardeners', 'visitors'] } },
  cases: [
    { title: 'allows true as hasgroups', claims: { hasgroups: true }, decision: 'allowed' },
    { title: 'allows text as hasgroups', claims: { hasgroups: 'true' }, decision: 'allowed' },
    { title: 'allows null as hasgroups', claims: { hasgroups: null }, decision: 'allowed' },
    {
      title: 'allows groups:src1',
      claims: { 'groups:src1': { endpoint: 'https://graph.example.com' } },
      decision: 'allowed',
    },
    {
      title: 'allows the claim groups in _claim_names',
      claims: { _claim_names: { groups: 'src1' } },
      decision: 'allowed',
    },
    { title: 'allows a token without roles', claims: { roles: undefined }, decision: 'allowed' },
    { title: 'allows an empty list of roles', claims: { roles: [] }, decision: 'allowed' },
    {
      title: 'denies the claim roles in _claim_names',
      claims: { _claim_names: { roles: 'src1' } },
      decision: 'groups',
    },
    { title: 'denies null as _claim_names', claims: { _claim_names: null }, decision: 'groups' },
    { title: 'denies text as roles', claims: { roles: 'gardeners' }, decision: 'groups' },
    { title: 'denies two roles in one text', claims: { roles: 'gardeners visitors' }, decision: 'groups' },
    { title: 'denies an object as roles', claims: { roles: { gardeners: true } }, decision: 'groups' },
    { title: 'denies null as roles', claims: { roles: null }, decision: 'groups' },
  ],
};

/** A claim within another claim is not read, so its groups are missing. docs/issuers.md warns of this. */
export const groupsInNestedClaim: StageCases = {
  stage: 'whose groups claim is within another one',
  environment: { GROUPS_CLAIM: 'realm_access.roles' },
  valid: { claims: { realm_access: { roles: ['gardeners'] } } },
  cases: [
    {
      title: 'allows the groups in the inner claim, and ignores them',
      claims: { realm_access: { roles: ['gardeners'] } },
      decision: 'allowed',
    },
    {
      title: 'allows a token without the outer claim',
      claims: { realm_access: undefined },
      decision: 'allowed',
    },
    {
      title: 'allows the groups in a claim with a dot in its name, and reads them',
      claims: { 'realm_access.roles': ['gardeners'] },
      decision: 'allowed',
    },
    {
      title: 'denies text in a claim with a dot in its name',
      claims: { 'realm_access.roles': 'gardeners' },
      decision: 'groups',
    },
  ],
};

export const groupsInObject: StageCases = {
  stage: 'whose groups claim is an object',
  environment: { GROUPS_CLAIM: 'realm_access' },
  valid: { claims: { realm_access: { roles: ['gardeners'] } } },
  cases: [{ title: 'denies a token with the object as groups', decision: 'groups' }],
};

import type { AuthorizationCase, StageCases } from './authorization-case.ts';

/** Values of a claim that do not have the scope plants:read. */
const valuesWithoutScope: readonly (readonly [description: string, value: unknown])[] = [
  ['missing', undefined],
  ['empty', ''],
  ['an object with the scope as a member', { 'plants:read': true }],
  ['the scope in capitals', 'PLANTS:READ'],
  ['a longer scope', 'plants:read.all'],
  ['two scopes with a tab between them', 'openid\tplants:read'],
  ['two scopes with a comma between them', 'openid,plants:read'],
  ['a list with two scopes in one text', ['openid plants:read']],
  ['a list within a list', [['plants:read']]],
  ['a list with the scope and a number', ['plants:read', 7]],
];

export const requiredScope: StageCases = {
  stage: 'that requires the scope plants:read',
  environment: { REQUIRED_SCOPE: 'plants:read' },
  cases: [
    { title: 'allows the scope in the claim scope', claims: { scope: 'plants:read' }, decision: 'allowed' },
    {
      title: 'allows the scope among others in the claim scope',
      claims: { scope: 'openid plants:read profile' },
      decision: 'allowed',
    },
    {
      title: 'allows the scope in the text scp of Entra',
      claims: { scp: 'plants:read plants:write' },
      decision: 'allowed',
    },
    {
      title: 'allows the scope in the list scp of Okta',
      claims: { scp: ['openid', 'plants:read'] },
      decision: 'allowed',
    },
    {
      title: 'allows the scope in the roles of Entra’s app-only tokens',
      claims: { roles: ['plants:write', 'plants:read'] },
      decision: 'allowed',
    },
    ...['scope', 'scp', 'roles'].flatMap((claim) =>
      valuesWithoutScope.map(([description, value]): AuthorizationCase => ({
        title: `denies a token whose ${claim} is ${description}`,
        claims: { [claim]: value },
        decision: 'scope',
      })),
    ),
    {
      title: 'denies the scope in the claim permissions',
      claims: { permissions: ['plants:read'] },
      decision: 'scope',
    },
  ],
};

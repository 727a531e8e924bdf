// All attacks by Authorization headers. key-sets.test.ts has those by changes of the issuer's keys.
import { allAlgorithms, onlyEs256 } from './algorithms.ts';
import type { StageAttacks } from './authorization-case.ts';
import { gatewayHeaderAttacks, headerAttacks } from './authorization-headers.ts';
import { claimAttacks, gatewayClaimAttacks } from './claims.ts';
import { cognito, cognitoWithAudience } from './cognito.ts';
import { groupsInNestedClaim, groupsInObject, groupsInRoles } from './groups-claim.ts';
import { attackersKey } from './keys.ts';
import { oidc } from './oidc.ts';
import { requiredScope } from './required-scope.ts';
import { gatewayTokenAttacks, tokenAttacks } from './tokens.ts';

/** The attacks on a stage with the profile rfc9068 that the contract also sends through each gateway. */
export const gatewayAttacks = [...gatewayHeaderAttacks, ...gatewayTokenAttacks, ...gatewayClaimAttacks];

const rfc9068: StageAttacks = {
  stage: 'with the profile rfc9068',
  attacks: [...gatewayAttacks, ...headerAttacks, ...tokenAttacks, ...claimAttacks],
};

const issuerDown: StageAttacks = {
  stage: 'whose issuer is down',
  isIssuerDown: true,
  attacks: [
    { title: 'cannot decide on a valid token', decision: 'undecided' },
    { title: 'cannot decide on the attacker’s key', key: attackersKey, decision: 'undecided' },
    {
      title: 'denies a valid token with the scheme Basic',
      authorization: ({ token }) => `Basic ${token()}`,
      decision: 'not-a-bearer-token',
    },
    {
      title: 'denies a word in place of a token',
      authorization: () => 'Bearer x',
      decision: 'not-a-signed-token',
    },
    { title: 'denies the algorithm none', header: { alg: 'none' }, decision: 'algorithm' },
  ],
};

export const stages: readonly StageAttacks[] = [
  ...[rfc9068, issuerDown, oidc, requiredScope, onlyEs256, allAlgorithms],
  ...[groupsInRoles, groupsInNestedClaim, groupsInObject, cognito, cognitoWithAudience],
];

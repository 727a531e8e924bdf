// All cases of Authorization headers. key-sets.test.ts has the cases of changes of the issuer's keys.
import { allAlgorithms, onlyEs256 } from './algorithms.ts';
import type { StageCases } from './authorization-case.ts';
import { gatewayHeaderCases, headerCases } from './authorization-headers.ts';
import { claimCases, gatewayClaimCases } from './claims.ts';
import { cognito, cognitoWithAudience } from './cognito.ts';
import { groupsInNestedClaim, groupsInObject, groupsInRoles } from './groups-claim.ts';
import { attackersKey } from './keys.ts';
import { oidc } from './oidc.ts';
import { requiredScope } from './required-scope.ts';
import { gatewayTokenCases, tokenCases } from './tokens.ts';

/** The cases of a stage with the profile rfc9068 that the contract also sends through each gateway. */
export const gatewayCases = [...gatewayHeaderCases, ...gatewayTokenCases, ...gatewayClaimCases];

const rfc9068: StageCases = {
  stage: 'with the profile rfc9068',
  cases: [...gatewayCases, ...headerCases, ...tokenCases, ...claimCases],
};

const issuerDown: StageCases = {
  stage: 'whose issuer is down',
  isIssuerDown: true,
  cases: [
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

export const stages: readonly StageCases[] = [
  ...[rfc9068, issuerDown, oidc, requiredScope, onlyEs256, allAlgorithms],
  ...[groupsInRoles, groupsInNestedClaim, groupsInObject, cognito, cognitoWithAudience],
];

// Tokens that are valid except for one claim or the header's `typ`. Times are tested to the millisecond in
// test/unit/authorizer/authorize.test.ts.
import { encodeText, partsOf, signParts, textOf } from '../support/tokens.ts';
import type { AuthorizationCase } from './authorization-case.ts';

/** In seconds since 1970: the year 2096, far ahead of the clock of the suite `soak`, which skips hours. */
const farAhead = 4e9;
const groupsNamed = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `group-${String(index)}`);

/** Tokens that the contract also sends through each gateway. */
export const gatewayClaimCases: readonly AuthorizationCase[] = [
  { title: 'denies a token without iss', claims: { iss: undefined }, decision: 'issuer' },
  {
    title: 'denies a token of another issuer',
    claims: { iss: 'https://issuer.example.org' },
    decision: 'issuer',
  },
  { title: 'denies a token without aud', claims: { aud: undefined }, decision: 'audience' },
  { title: 'denies a token for another API', claims: { aud: 'another-api' }, decision: 'audience' },
  {
    title: 'allows a token for another API and this one',
    claims: ({ audience }) => ({ aud: ['another-api', audience] }),
    decision: 'allowed',
  },
  { title: 'denies a token without typ', header: { typ: undefined }, decision: 'token-type' },
  { title: 'denies the typ JWT in the profile rfc9068', header: { typ: 'JWT' }, decision: 'token-type' },
  { title: 'denies a token without exp', claims: { exp: undefined }, decision: 'lifetime' },
  { title: 'denies text as exp', claims: { exp: String(farAhead) }, decision: 'lifetime' },
  {
    title: 'denies a token that has expired a second ago',
    claims: () => ({ exp: Math.floor(Date.now() / 1000) - 1 }),
    decision: 'lifetime',
  },
  { title: 'denies an nbf in the far future', claims: { nbf: farAhead }, decision: 'lifetime' },
  { title: 'denies an iat in the far future', claims: { iat: farAhead }, decision: 'lifetime' },
  {
    // The token is bound by DPoP (RFC 9449).
    title: 'denies a token that is bound to a key',
    claims: { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } },
    decision: 'key-bound',
  },
  { title: 'denies a token without sub', claims: { sub: undefined }, decision: 'subject' },
  { title: 'denies an empty sub', claims: { sub: '' }, decision: 'subject' },
  { title: 'denies a number as sub', claims: { sub: 7 }, decision: 'subject' },
  { title: 'denies a sub of 256 bytes', claims: { sub: 'é'.repeat(128) }, decision: 'subject' },
  { title: 'allows a sub of 255 bytes', claims: { sub: `${'é'.repeat(127)}x` }, decision: 'allowed' },
  { title: 'denies a lone surrogate as sub', claims: { sub: '\ud800' }, decision: 'subject' },
  { title: 'denies text as groups', claims: { groups: 'gardeners' }, decision: 'groups' },
  { title: 'denies null as groups', claims: { groups: null }, decision: 'groups' },
  { title: 'denies a number among the groups', claims: { groups: ['gardeners', 7] }, decision: 'groups' },
  { title: 'denies an empty group name', claims: { groups: [''] }, decision: 'groups' },
  { title: 'denies a group name of 256 bytes', claims: { groups: ['x'.repeat(256)] }, decision: 'groups' },
  { title: 'denies 101 groups', claims: { groups: groupsNamed(101) }, decision: 'groups' },
  { title: 'allows 100 groups', claims: { groups: groupsNamed(100) }, decision: 'allowed' },
  { title: 'allows a token without groups', claims: { groups: undefined }, decision: 'allowed' },
  {
    title: 'denies a token whose groups are left out, and named in _claim_names',
    claims: { _claim_names: { groups: 'src1' } },
    decision: 'groups',
  },
  {
    title: 'denies a token whose groups are left out, and marked by hasgroups',
    claims: { hasgroups: true },
    decision: 'groups',
  },
];

export const claimCases: readonly AuthorizationCase[] = [
  {
    title: 'denies the issuer’s name with a slash after it',
    claims: ({ name }) => ({ iss: `${name}/` }),
    decision: 'issuer',
  },
  {
    title: 'denies two audiences in one text',
    claims: ({ audience }) => ({ aud: `${audience},other` }),
    decision: 'audience',
  },
  { title: 'allows an exp with a fraction', claims: { exp: farAhead + 0.5 }, decision: 'allowed' },
  {
    title: 'denies an infinite exp',
    authorization: ({ key, token }) => {
      const [header, payload] = partsOf(token());
      return `Bearer ${signParts(key, header, encodeText(textOf(payload).replace('}', ',"exp":1e999}')))}`;
    },
    decision: 'lifetime',
  },
  { title: 'allows a token without iat', claims: { iat: undefined }, decision: 'allowed' },
  { title: 'denies null as cnf', claims: { cnf: null }, decision: 'key-bound' },
  // The partition key is `user#` and the subject, so a `#` or NUL in the subject selects no other partition.
  {
    title: 'allows a sub that looks like a group’s partition',
    claims: { sub: 'group#gardeners' },
    decision: 'allowed',
  },
  { title: 'allows a NUL in sub', claims: { sub: 'somebody\0' }, decision: 'allowed' },
  { title: 'allows __proto__ as sub', claims: { sub: '__proto__' }, decision: 'allowed' },
  {
    title: 'denies an object that looks like a list of groups',
    claims: { groups: { 0: 'gardeners', length: 1 } },
    decision: 'groups',
  },
  { title: 'denies null among the groups', claims: { groups: ['gardeners', null] }, decision: 'groups' },
  {
    title: 'denies a group name of 86 characters and 258 bytes',
    claims: { groups: ['水'.repeat(86)] },
    decision: 'groups',
  },
  { title: 'denies a lone surrogate as a group name', claims: { groups: ['\ud800'] }, decision: 'groups' },
  { title: 'allows an empty list of groups', claims: { groups: [] }, decision: 'allowed' },
  { title: 'allows a group name of 255 bytes', claims: { groups: ['x'.repeat(255)] }, decision: 'allowed' },
  {
    title: 'allows a group name that looks like a user’s partition',
    claims: { groups: ['user#somebody'] },
    decision: 'allowed',
  },
  {
    title: 'denies a token with some groups whose others are left out, and named in _claim_names',
    claims: { groups: ['gardeners'], _claim_names: { groups: 'src1' } },
    decision: 'groups',
  },
  {
    title: 'denies groups in _claim_names without a source',
    claims: { _claim_names: { groups: null } },
    decision: 'groups',
  },
  { title: 'denies null as _claim_names', claims: { _claim_names: null }, decision: 'groups' },
  { title: 'denies text as _claim_names', claims: { _claim_names: 'groups' }, decision: 'groups' },
  { title: 'allows an empty _claim_names', claims: { _claim_names: {} }, decision: 'allowed' },
  {
    title: 'allows another claim in _claim_names',
    claims: { _claim_names: { address: 'src1' } },
    decision: 'allowed',
  },
  { title: 'denies text as hasgroups', claims: { hasgroups: 'true' }, decision: 'groups' },
  { title: 'denies null as hasgroups', claims: { hasgroups: null }, decision: 'groups' },
  { title: 'allows false as hasgroups', claims: { hasgroups: false }, decision: 'allowed' },
  {
    title: 'denies a token whose groups are left out, and marked by groups:src1',
    claims: { 'groups:src1': { endpoint: 'https://graph.example.com' } },
    decision: 'groups',
  },
  // The typ at+jwt already excludes ID tokens.
  {
    title: 'allows at_hash, a claim of ID tokens, in the profile rfc9068',
    claims: { at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' },
    decision: 'allowed',
  },
  {
    title: 'allows a claim that looks like the authorizer’s response, and ignores it',
    claims: { context: { subject: 'root', groups: ['admins'] } },
    decision: 'allowed',
  },
];

import type { StageCases } from './authorization-case.ts';

const environment = { TOKEN_PROFILE: 'cognito', CLIENT_IDS: 'web,phone', GROUPS_CLAIM: 'cognito:groups' };
const header = { typ: undefined };
const claims = { token_use: 'access', client_id: 'web', 'cognito:groups': ['gardeners'] };

/** Access tokens of Amazon Cognito, for the clients `web` and `phone`. */
export const cognito: StageCases = {
  stage: 'with the profile cognito',
  environment: { ...environment, AUDIENCE: undefined },
  valid: { header, claims: { ...claims, aud: undefined } },
  cases: [
    { title: 'allows the first client', claims: { client_id: 'web' }, decision: 'allowed' },
    { title: 'allows the second client', claims: { client_id: 'phone' }, decision: 'allowed' },
    { title: 'denies a token without client_id', claims: { client_id: undefined }, decision: 'client' },
    { title: 'denies another client', claims: { client_id: 'admin' }, decision: 'client' },
    { title: 'denies a list as client_id', claims: { client_id: ['web'] }, decision: 'client' },
    {
      title: 'denies the text of all client ids as client_id',
      claims: { client_id: 'web,phone' },
      decision: 'client',
    },
    {
      title: 'denies the client’s id in aud in place of client_id',
      claims: { client_id: undefined, aud: 'web' },
      decision: 'client',
    },
    { title: 'denies a token without token_use', claims: { token_use: undefined }, decision: 'token-use' },
    { title: 'denies the token_use of ID tokens', claims: { token_use: 'id' }, decision: 'token-use' },
    {
      title: 'denies the token_use and the aud of ID tokens',
      claims: { token_use: 'id', aud: 'web' },
      decision: 'token-use',
    },
    {
      title: 'allows a token without cognito:groups',
      claims: { 'cognito:groups': undefined },
      decision: 'allowed',
    },
    { title: 'allows the claim groups, and ignores it', claims: { groups: ['admins'] }, decision: 'allowed' },
    { title: 'denies text as cognito:groups', claims: { 'cognito:groups': 'gardeners' }, decision: 'groups' },
    {
      title: 'denies the claim cognito:groups in _claim_names',
      claims: { _claim_names: { 'cognito:groups': 'src1' } },
      decision: 'groups',
    },
    {
      title: 'allows the claim groups in _claim_names',
      claims: { _claim_names: { groups: 'src1' } },
      decision: 'allowed',
    },
    // A token for one resource (“Resource binding” in Cognito's guide), which this stage does not name.
    { title: 'denies a token for another API', claims: { aud: 'another-api' }, decision: 'audience' },
    {
      title: 'denies the audience of other stages',
      claims: ({ audience }) => ({ aud: audience }),
      decision: 'audience',
    },
    { title: 'denies the client’s id as aud', claims: { aud: 'web' }, decision: 'audience' },
    {
      title: 'denies the audience of other stages in a list',
      claims: ({ audience }) => ({ aud: [audience] }),
      decision: 'audience',
    },
    { title: 'denies an empty aud', claims: { aud: '' }, decision: 'audience' },
    { title: 'denies an empty list as aud', claims: { aud: [] }, decision: 'audience' },
    { title: 'denies an object as aud', claims: { aud: {} }, decision: 'audience' },
    { title: 'denies 0 as aud', claims: { aud: 0 }, decision: 'audience' },
    { title: 'denies null as aud', claims: { aud: null }, decision: 'audience' },
  ],
};

/** Access tokens of Amazon Cognito for one resource, which the stage names. */
export const cognitoWithAudience: StageCases = {
  stage: 'with the profile cognito and an audience',
  environment: { ...environment, AUDIENCE: 'plant-store' },
  valid: { header, claims },
  cases: [
    {
      title: 'allows the audience as aud',
      claims: ({ audience }) => ({ aud: audience }),
      decision: 'allowed',
    },
    {
      title: 'allows a list with the audience as aud',
      claims: ({ audience }) => ({ aud: [audience] }),
      decision: 'allowed',
    },
    {
      title: 'allows a token for another API and this one',
      claims: ({ audience }) => ({ aud: ['another-api', audience] }),
      decision: 'allowed',
    },
    { title: 'denies a token without aud', claims: { aud: undefined }, decision: 'audience' },
    { title: 'denies a token for another API', claims: { aud: 'another-api' }, decision: 'audience' },
    { title: 'denies a list of other APIs as aud', claims: { aud: ['another-api'] }, decision: 'audience' },
    {
      title: 'denies the audience with a slash after it',
      claims: ({ audience }) => ({ aud: `${audience}/` }),
      decision: 'audience',
    },
    { title: 'denies an empty aud', claims: { aud: '' }, decision: 'audience' },
    { title: 'denies an empty list as aud', claims: { aud: [] }, decision: 'audience' },
    {
      title: 'denies the audience in a list within a list',
      claims: ({ audience }) => ({ aud: [[audience]] }),
      decision: 'audience',
    },
    { title: 'denies an object as aud', claims: { aud: {} }, decision: 'audience' },
    { title: 'denies 0 as aud', claims: { aud: 0 }, decision: 'audience' },
    { title: 'denies null as aud', claims: { aud: null }, decision: 'audience' },
    { title: 'denies another client', claims: { client_id: 'admin' }, decision: 'client' },
  ],
};

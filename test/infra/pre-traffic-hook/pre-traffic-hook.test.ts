import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fault, hookEvent, type Releases, startReleases } from './release.ts';

const allow = "{ isAuthorized: true, context: { subject: 'a', groups: [], expiresAt: 0, callerId: '' } }";
const token = "const token = bearerToken(identitySource?.[0] ?? '');";
const caller = 'const caller = parseCaller(context)';
const nobody = "{ subject: 'nobody', groups: [], expiresAt: now }";

/** The function, what is wrong with its version, what the hook logs about it (undefined: it gets traffic), the fault. */
const versions: readonly (readonly ['authorizer' | 'list-plants', string, string | undefined, Fault])[] = [
  ['authorizer', 'good', undefined, {}],
  [
    'authorizer',
    'throws when it is loaded',
    'function-error',
    { environment: () => ({ TOKEN_PROFILE: '' }) },
  ],
  [
    'authorizer',
    'allows everybody',
    'not-denied',
    {
      edit: [
        'functions/authorizer/authorize.ts',
        token,
        `if (identitySource !== undefined) return ${allow}; ${token}`,
      ],
    },
  ],
  [
    'authorizer',
    'denies everybody before it needs a key',
    'denied-for-another-reason',
    { edit: ['functions/authorizer/signed-token.ts', "'crit' in parameters", "'alg' in parameters"] },
  ],
  ['authorizer', 'the issuer is down', 'function-error', { keySet: { text: undefined } }],
  ['authorizer', 'the issuer has no usable key', 'function-error', { keySet: { text: '{"keys":[]}' } }],
  ['list-plants', 'good', undefined, {}],
  ['list-plants', 'throws when it is loaded', 'function-error', { environment: () => ({ TABLE_NAME: '' }) }],
  [
    'list-plants',
    'a role without the grant',
    'not-an-empty-list',
    { environment: ({ withoutGrant }) => ({ AWS_ENDPOINT_URL_DYNAMODB: withoutGrant }) },
  ],
  [
    'list-plants',
    'the table does not respond',
    'not-an-empty-list',
    { environment: ({ down }) => ({ AWS_ENDPOINT_URL_DYNAMODB: down }) },
  ],
  [
    'list-plants',
    'accepts a request without a caller',
    'not-refused',
    { edit: ['functions/list-plants/http/list-request.ts', caller, `${caller} ?? ${nobody}`] },
  ],
  [
    'list-plants',
    'refuses a request without a caller for another reason',
    'not-refused',
    { edit: ['functions/list-plants/errors.ts', 'error: 1004,', 'error: 1001,'] },
  ],
];

describe('a new version before it gets traffic', () => {
  let releases: Releases;
  beforeAll(async () => {
    releases = await startReleases();
  });
  afterAll(() => releases.stop());

  it.each(versions)('%s, %s: %s', async (folder, _, problem, fault) => {
    const { statuses, entry } = await releases.release(folder, fault);
    const status = problem === undefined ? 'Succeeded' : 'Failed';
    const { DeploymentId: deploymentId, LifecycleEventHookExecutionId: lifecycleEventHookExecutionId } =
      hookEvent;
    expect(statuses).toEqual([{ deploymentId, lifecycleEventHookExecutionId, status }]);
    expect(entry).toMatchObject(
      problem === undefined ? { event: 'version-passed' } : { event: 'version-refused', problem },
    );
  });
});

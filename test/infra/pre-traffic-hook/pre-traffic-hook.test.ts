import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationIds } from '../../support/synthesized.ts';
import { type Fault, hookEvent, type Releases, startReleases } from './release.ts';

const allow = "{ isAuthorized: true, context: { subject: 'a', groups: [], expiresAt: 0, callerId: '' } }";
const token = "const token = bearerToken(identitySource?.[0] ?? '');";
const caller = 'const caller = parseCaller(requestContext?.authorizer?.lambda)';
const nobody = "{ subject: 'nobody', groups: [], expiresAt: now }";

/** The function's id, its version, the problem that the hook logs or `version-passed`, and the fault. */
const versions: readonly (readonly [functionId: string, string, outcome: string, Fault])[] = [
  ['Authorizer', 'is good', 'version-passed', {}],
  [
    'Authorizer',
    'throws when it is loaded',
    'function-error',
    { environment: () => ({ TOKEN_PROFILE: '' }) },
  ],
  [
    'Authorizer',
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
    'Authorizer',
    'denies everybody before it needs a key',
    'denied-for-another-reason',
    { edit: ['functions/authorizer/signed-token.ts', "'crit' in parameters", "'alg' in parameters"] },
  ],
  ['Authorizer', 'cannot reach its issuer', 'function-error', { keySet: { text: undefined } }],
  ['Authorizer', 'gets no usable key', 'function-error', { keySet: { text: '{"keys":[]}' } }],
  ...operationIds.flatMap((id): typeof versions => [
    [id, 'is good', 'version-passed', {}],
    [id, 'throws when it is loaded', 'function-error', { environment: () => ({ TABLE_NAME: '' }) }],
  ]),
  [
    'ListPlants',
    'gets no response from the table',
    'wrong-response',
    { environment: ({ down }) => ({ AWS_ENDPOINT_URL_DYNAMODB: down }) },
  ],
  [
    'ListPlants',
    'accepts a request without a caller',
    'not-rejected',
    { edit: ['functions/http/principals.ts', caller, `${caller} ?? ${nobody}`] },
  ],
  [
    'ListPlants',
    'refuses a request without a caller for another reason',
    'not-rejected',
    { edit: ['functions/shared/errors.ts', 'error: 1004,', 'error: 1001,'] },
  ],
];

describe('before it gets traffic, a new version', () => {
  let releases: Releases;
  beforeAll(async () => {
    releases = await startReleases();
  });
  afterAll(() => releases.stop());

  it.each(versions)('of %s that %s is reported as %s', async (functionId, _, outcome, fault) => {
    const { statuses, entry } = await releases.release(functionId, fault);
    const status = outcome === 'version-passed' ? 'Succeeded' : 'Failed';
    const { DeploymentId: deploymentId, LifecycleEventHookExecutionId: lifecycleEventHookExecutionId } =
      hookEvent;
    expect(statuses).toEqual([{ deploymentId, lifecycleEventHookExecutionId, status }]);
    expect(entry).toMatchObject(
      status === 'Succeeded' ? { event: outcome } : { event: 'version-refused', problem: outcome },
    );
  });

  it.each(operationIds)('of %s whose role lacks the grant is refused if it reads the table', async (id) => {
    const { entry, refusedQueries } = await releases.release(id, {
      environment: ({ withoutGrant }) => ({ AWS_ENDPOINT_URL_DYNAMODB: withoutGrant }),
    });
    expect(entry).toMatchObject(
      refusedQueries === 0
        ? { event: 'version-passed' }
        : { event: 'version-refused', problem: 'wrong-response' },
    );
    if (id === 'ListPlants') expect(refusedQueries).toBeGreaterThan(0);
  });
});

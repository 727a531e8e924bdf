import { Duration } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { alarm } from './monitoring/alarms.ts';
import { math, type Metrics, serviceMetrics, share } from './monitoring/metrics.ts';
import type { Operation } from './operation-function.ts';
import type { PlantStoreStack } from './plant-store-stack.ts';
import { BundledFunction, type ServiceFunction } from './service-function.ts';

/** What the pre-traffic hook checks: an event, and values of its result. `error` is in the body. */
type VersionCheck = Readonly<Record<'event' | 'expected', object>>;

/**
 * Releases each function by canary: after a hook's check, a new version gets 10 % of the requests for ten
 * minutes, and the function's alarm rolls it back. An urgent release shifts at once, without hook and alarm.
 */
export const releaseByCanary = (stack: PlantStoreStack, isUrgent: boolean): void => {
  const application = new LambdaApplication(stack, 'Releases');
  // Each has a hook of its own: a release does not depend on the checks of other functions.
  const release = (tested: ServiceFunction, checks: readonly VersionCheck[], shares: Metrics): void => {
    const { id } = tested.node;
    // The id must not begin with the function's: operators find the function by that prefix.
    const hook = new BundledFunction(stack, `PreTraffic${id}`, 'pre-traffic-hook', {
      description: `Checks a new version of ${id} before it gets traffic`,
      memorySize: 256,
      // Longer than both of its deadlines together (`bounds` in functions/pre-traffic-hook/handler.ts).
      timeout: Duration.minutes(2),
      environment: {
        CHECKS: JSON.stringify(checks),
        // CodeDeploy does not name the released version in the event of a hook.
        TESTED_FUNCTION: tested.functionName,
        TESTED_VERSION: tested.currentVersion.version,
      },
    });
    // All versions (infra/findings.ts).
    tested.grantInvoke(hook);
    const names = Object.keys(shares).join(', ');
    const metric = math(`MAX([${names}])`, shares);
    const meaning = `One of ${names} of ${id} is at least 5 %. This only rolls its release back.`;
    const rollback = alarm(stack, `${id}Release`, meaning, { metric, threshold: 5 }, 'A release fails');
    const group = new LambdaDeploymentGroup(tested, 'Release', {
      application,
      alias: tested.live,
      autoRollback: { stoppedDeployment: true },
      // Five minutes could end before late log lines arrive: docs/slo.md.
      deploymentConfig: LambdaDeploymentConfig[isUrgent ? 'ALL_AT_ONCE' : 'CANARY_10PERCENT_10MINUTES'],
      ...(!isUrgent && { alarms: [rollback], preHook: hook }),
    });
    // The alias moves last: hook and deployment group must have their new settings first.
    tested.live.node.addDependency(group, ...(isUrgent ? [] : [hook]));
  };
  const { requests, failed, authorizer, operations } = serviceMetrics(stack);
  // Only the gateway sees a result of the authorizer that it cannot use.
  const failedRequests = share({ part: failed, whole: requests });
  release(stack.authorizer, [deniesUnknownKey(stack)], { ...authorizer.shares, failedRequests });
  for (const { operation, shares } of operations) release(operation, requiresCaller(operation), shares);
};

/** The first part of the callers' names, the id of a key, and the value of each path parameter. */
const madeUpName = 'pre-traffic-hook';

/** A caller whose response shows that the table can be used, and no caller at all. */
const requiresCaller = ({ definition }: Operation): readonly VersionCheck[] => {
  const { id, route, request, withoutPlants } = definition;
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParameters = Object.fromEntries(names.map((name) => [name, madeUpName]));
  const event = { rawQueryString: '', headers: {}, ...request, pathParameters };
  // The year 2100: a date that differs between syntheses would change the template.
  // Each operation has its own caller: what one adds, another would list.
  const caller = { subject: `${madeUpName}-${id}`, groups: [], expiresAt: 4_102_444_800 };
  return [
    { event: { ...event, requestContext: { authorizer: { lambda: caller } } }, expected: withoutPlants },
    { event: { ...event, requestContext: {} }, expected: { statusCode: 401, error: 1004 } },
  ];
};

/** Denying a token with an unknown key requires the key set: without one, the authorizer throws. */
const deniesUnknownKey = ({ tokens: { algorithms } }: PlantStoreStack): VersionCheck => {
  // Indented, because scanners for secrets take other texts for a real token.
  const header = JSON.stringify({ alg: algorithms[0], kid: madeUpName, typ: 'at+jwt' }, null, 1);
  const token = [Buffer.from(header).toString('base64url'), 'e30', 'A'.repeat(86)].join('.');
  return { event: { identitySource: [`Bearer ${token}`] }, expected: { isAuthorized: false } };
};

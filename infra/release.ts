import { Duration, type Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { alarm } from './monitoring/alarms.ts';
import { largest, type Metrics, percentage, type ServiceMetrics } from './monitoring/metrics.ts';
import type { OperationDefinition } from './operation-definition.ts';
import { BundledFunction, type FunctionSettings, type ServiceFunction } from './service-function.ts';
import type { Service } from './service.ts';
import type { IssuedTokens } from './stage-type.ts';

interface ReleaseProps extends FunctionSettings {
  readonly service: Service;
  readonly metrics: ServiceMetrics;
  /** The tokens that the authorizer accepts. */
  readonly tokens: IssuedTokens;
  /** Whether new versions get all requests at once, without hook and alarm. */
  readonly isUrgent: boolean;
}

/**
 * Releases each function by canary: after a hook's check, a new version gets 10 % of the requests for ten
 * minutes, and the function's alarm rolls it back. An urgent release shifts at once, without hook and alarm.
 */
export const releaseByCanary = (stack: Stack, props: ReleaseProps): void => {
  const { service, metrics, tokens, isUrgent, ...settings } = props;
  const application = new LambdaApplication(stack, 'Releases');
  const { requests, failed, authorizer, operations } = metrics;
  // The gateway alone sees whether it can use a result of the authorizer, and responds with 500 if not.
  const failedRequests = percentage({ part: failed, whole: requests });
  const tested: readonly TestedFunction[] = [
    {
      target: service.authorizer,
      checks: [deniesUnknownKey(tokens)],
      failures: { ...authorizer.percentages, failedRequests },
    },
    ...operations.map(({ operation, percentages }) => ({
      target: operation,
      checks: requiresCaller(operation.definition),
      failures: percentages,
    })),
  ];
  for (const { target, checks, failures } of tested) {
    // Each function has a hook of its own, so that its release does not depend on the checks of others.
    const preHook = preTrafficHook(stack, { ...settings, target, checks });
    const rollback = rollbackAlarm(stack, target, failures);
    const guards = isUrgent ? {} : { preHook, alarms: [rollback] };
    const group = new LambdaDeploymentGroup(target, 'Release', {
      application,
      alias: target.live,
      autoRollback: { stoppedDeployment: true },
      deploymentConfig: trafficShift(isUrgent),
      ...guards,
    });
    // The alias moves last: hook and deployment group must have their new settings first.
    target.live.node.addDependency(group, ...(isUrgent ? [] : [preHook]));
  }
};

/** A function, and what checks and rolls back its releases. */
interface TestedFunction {
  readonly target: ServiceFunction;
  readonly checks: readonly VersionCheck[];
  /** Percentages that roll a release back: one of them at 5 % or more. */
  readonly failures: Metrics;
}

/** What the pre-traffic hook checks: an event, and what its result must have. `error` is in the body. */
type VersionCheck = Readonly<Record<'event' | 'expected', object>>;

/** A canary takes ten minutes, because five could end before late log lines arrive (docs/slo.md). */
const trafficShift = (isUrgent: boolean): ILambdaDeploymentConfig =>
  LambdaDeploymentConfig[isUrgent ? 'ALL_AT_ONCE' : 'CANARY_10PERCENT_10MINUTES'];

interface HookProps extends FunctionSettings, Pick<TestedFunction, 'target' | 'checks'> {}

/** The function that checks a new version before it gets traffic. */
const preTrafficHook = (stack: Stack, { target, checks, ...settings }: HookProps): BundledFunction => {
  const { id } = target.node;
  // The id must not begin with the function's: operators find the function by that prefix.
  const hook = new BundledFunction(stack, `PreTraffic${id}`, {
    ...settings,
    folder: 'pre-traffic-hook',
    description: `Checks a new version of ${id} before it gets traffic`,
    memorySize: 256,
    // Longer than both deadlines of the hook together (`deadlines` in functions/pre-traffic-hook/handler.ts).
    timeout: Duration.minutes(2),
    environment: {
      CHECKS: JSON.stringify(checks),
      // CodeDeploy does not name the released version in the event of a hook.
      TESTED_FUNCTION: target.functionName,
      TESTED_VERSION: target.currentVersion.version,
    },
  });
  // The permission is for all versions (reason: infra/findings.ts).
  target.grantInvoke(hook);
  return hook;
};

const rollbackAlarm = (stack: Stack, { node: { id } }: ServiceFunction, failures: Metrics): Alarm => {
  const names = Object.keys(failures).join(', ');
  const metric = largest(Object.keys(failures), failures);
  const meaning = `One of ${names} of ${id} is at least 5 %. This only rolls its release back.`;
  return alarm(stack, `${id}Release`, meaning, { metric, threshold: 5 }, 'A release fails');
};

/** The first part of the callers' names, the id of a key, and the value of each path parameter. */
const madeUpName = 'pre-traffic-hook';

/** Checks that a caller's response needs the table, and that a request without a caller gets 401. */
const requiresCaller = (definition: OperationDefinition): readonly VersionCheck[] => {
  const { id, route, request, withoutPlants } = definition;
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParameters = Object.fromEntries(names.map((name) => [name, madeUpName]));
  const event = { rawQueryString: '', headers: {}, ...request, pathParameters };
  // The year 2100: a date that differs between syntheses would change the template.
  // Each operation has a caller of its own, because one would list what another adds.
  const caller = { subject: `${madeUpName}-${id}`, groups: [], expiresAt: 4_102_444_800 };
  return [
    { event: { ...event, requestContext: { authorizer: { lambda: caller } } }, expected: withoutPlants },
    { event: { ...event, requestContext: {} }, expected: { statusCode: 401, error: 1004 } },
  ];
};

/** Checks that a token with an unknown key is denied. Without a key set, the authorizer throws instead. */
const deniesUnknownKey = ({ algorithms }: IssuedTokens): VersionCheck => {
  // Indented, because scanners for secrets take other texts for a real token.
  const header = JSON.stringify({ alg: algorithms[0], kid: madeUpName, typ: 'at+jwt' }, null, 1);
  const token = [Buffer.from(header).toString('base64url'), 'e30', 'A'.repeat(86)].join('.');
  return { event: { identitySource: [`Bearer ${token}`] }, expected: { isAuthorized: false } };
};

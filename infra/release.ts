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
import { BundledFunction, type FunctionSettings, type ServiceFunction } from './service-function.ts';
import type { Service } from './service.ts';
import type { IssuedTokens } from './stage-type.ts';
import { authorizerChecks, operationChecks, type VersionCheck } from './version-checks.ts';

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
  // Includes the 500s of the gateway when it cannot use the authorizer's result, which no function counts.
  const failedRequests = percentage({ part: failed, whole: requests });
  const tested: readonly TestedFunction[] = [
    {
      target: service.authorizer,
      checks: authorizerChecks(tokens),
      failures: { ...authorizer.percentages, failedRequests },
      meaning: 'At least 5 % of decisions fail, are slow or deny a caller, or 5 % of requests fail.',
    },
    ...operations.map(({ operation, percentages }) => ({
      target: operation,
      checks: operationChecks(operation.definition),
      failures: percentages,
      meaning: `At least 5 % of the requests to ${operation.node.id} fail or are slow.`,
    })),
  ];
  for (const { target, checks, failures, meaning } of tested) {
    // Each function has its own hook, so that its release does not depend on the checks of other functions.
    const preHook = preTrafficHook(stack, { ...settings, target, checks });
    const rollback = rollbackAlarm(stack, { target, failures, meaning });
    const guards = isUrgent ? {} : { preHook, alarms: [rollback] };
    const group = new LambdaDeploymentGroup(target, 'Release', {
      application,
      alias: target.live,
      autoRollback: { stoppedDeployment: true },
      deploymentConfig: trafficShift(isUrgent),
      ...guards,
    });
    // The alias moves last, because hook and deployment group must have their new settings first.
    target.live.node.addDependency(group, ...(isUrgent ? [] : [preHook]));
  }
};

/** A function, with the checks before its releases, and the failures that roll its releases back. */
interface TestedFunction {
  readonly target: ServiceFunction;
  readonly checks: readonly VersionCheck[];
  /** Percentages. One of them at 5 % or more rolls a release back. */
  readonly failures: Metrics;
  /** A sentence for the person on call, which says what the failures are. */
  readonly meaning: string;
}

/** A canary takes ten minutes, because five could end before late log lines arrive (docs/slo.md). */
const trafficShift = (isUrgent: boolean): ILambdaDeploymentConfig =>
  LambdaDeploymentConfig[isUrgent ? 'ALL_AT_ONCE' : 'CANARY_10PERCENT_10MINUTES'];

interface HookProps extends FunctionSettings, Pick<TestedFunction, 'target' | 'checks'> {}

/** The function that checks a new version before it gets traffic. */
const preTrafficHook = (stack: Stack, { target, checks, ...settings }: HookProps): BundledFunction => {
  const { id } = target.node;
  // The id must not begin with the function's id, because operators find the function by that prefix.
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

type RollbackProps = Pick<TestedFunction, 'target' | 'failures' | 'meaning'>;

const rollbackAlarm = (stack: Stack, { target, failures, meaning }: RollbackProps): Alarm => {
  const { id } = target.node;
  const metric = largest(Object.keys(failures), failures);
  return alarm(stack, {
    name: `${id}Release`,
    meaning: `${meaning} The alarm only rolls back a release of ${id}.`,
    section: 'A release fails',
    metric,
    threshold: 5,
  });
};

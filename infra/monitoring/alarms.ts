import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Operation, Service } from '../operation.ts';
import type { ServiceFunction } from '../service-function.ts';
import { serviceDashboard } from './dashboard.ts';
import { countLogLines } from './log-metrics.ts';
import { budgets, metricMath, operationMetrics, type ServiceMetrics, serviceMetrics } from './metrics.ts';
import { notify } from './notifications.ts';

/** The meaning of each alarm, for the person on call. */
const meanings = {
  Release:
    'At least 5 % of requests fail or are slow, or 5 % of decisions fail. Only rolls the authorizer back.',
  DeniedCallers: 'At least 5 % of callers with a current token are denied. This also rolls a release back.',
  KeySetFailures:
    'The issuer’s keys cannot be fetched. A copy is used for an hour; without one, callers get a 500.',
  Refused: 'At least a fifth of all requests get a 4xx: an attacker, a broken client, or the throttle.',
  NearThrottle:
    'Requests reach 80 % of the stage’s throttle or the account’s Lambda concurrency. At 100 %, they fail.',
  DamagedItems: 'Damaged items are left out of responses, so some callers do not see all their plants.',
} as const;

// Both windows must burn at the rate: 2 % of a month's budget in an hour, 5 % in six (SRE Workbook, “Alerting
// on SLOs”).
const burns = [
  // Two short windows, because log lines of the newer one can be late.
  { id: 'FastBurn', rate: 14.4, shortMinutes: 5, shortWindows: 2, longMinutes: 60 },
  { id: 'SlowBurn', rate: 6, shortMinutes: 30, shortWindows: 1, longMinutes: 360 },
] as const;

/**
 * Alarms that roll a release back and, in a stage with recipients, alarms that notify them, a dashboard and
 * an AWS budget. docs/slo.md shows which alarm fires when.
 */
export class Alarms extends Construct {
  /** The alarms that roll a release of each function back. */
  readonly rollback: ReadonlyMap<ServiceFunction, readonly cloudwatch.Alarm[]>;

  constructor(scope: Construct, id: string, service: Service, operations: readonly Operation[]) {
    super(scope, id);
    // The same metrics are watched over several windows.
    Annotations.of(scope).acknowledgeWarning('CloudWatch:Math:MetricsPeriodsOverridden');
    const { stage, authorizer } = service;
    const metrics = serviceMetrics(this, service, operations);
    const release = this.#alarm('Release', { metric: metrics.worstShare, threshold: 5 });
    const deniedCallers = this.#alarm('DeniedCallers', { metric: metrics.deniedCallerShare, threshold: 5 });
    // An alarm for each operation: in a shared one, a busy operation would hide a quiet one's bad version.
    const byOperation = new Map(operations.map((operation) => [operation, operationMetrics(operation)]));
    const rollback = new Map<ServiceFunction, readonly cloudwatch.Alarm[]>();
    for (const [operation, { worstShare: metric }] of byOperation) {
      const { id: name } = operation.node;
      const meaning = `At least 5 % of ${name} requests fail or are slow. This only rolls its release back.`;
      const props = { metric, threshold: 5 };
      rollback.set(operation, [metricAlarm(operation, 'ReleaseAlarm', meaning, props, `${name}Release`)]);
    }
    this.rollback = rollback.set(authorizer, [release, deniedCallers]);
    if (stage.alarmRecipients.length === 0) return;

    countLogLines(this, authorizer.logGroup, 'KeySetFailures');
    for (const operation of operations) countLogLines(operation, operation.logGroup, 'DamagedItems');
    // A unit of concurrency allows ten invocations a second; a request takes 8/7 invocations (docs/scale.md).
    const lambdaLimit = ((stage.lambdaConcurrency ?? Infinity) * 10 * 7) / 8;
    const requestsPerMinute = Math.min(stage.throttle.rateLimit, lambdaLimit) * 60;
    const notifying = [
      ...burns.map((burn) => this.#burning(burn, metrics)),
      deniedCallers,
      this.#alarm('KeySetFailures', {
        metric: metrics.keySetFailures,
        threshold: 1,
        // A failure in one minute is usually the network. Log lines can be three minutes late.
        datapointsToAlarm: 3,
        evaluationPeriods: 8,
      }),
      this.#alarm('Refused', {
        metric: metrics.refusedShare,
        threshold: 20,
        // A failure that is a 400 counts as refused until its log line arrives, up to three minutes late.
        datapointsToAlarm: 4,
        evaluationPeriods: 6,
      }),
      this.#alarm('NearThrottle', { metric: metrics.requests, threshold: 0.8 * requestsPerMinute }),
      this.#alarm('DamagedItems', {
        metric: metrics.damagedItems,
        threshold: 1,
        // Twelve hours, so that repeated reads of an item cause one mail.
        datapointsToAlarm: 1,
        evaluationPeriods: 720,
      }),
    ];
    notify(scope, stage, notifying);
    const alarms = new Set([...notifying, ...[...rollback.values()].flat()]);
    serviceDashboard(scope, [...alarms], metrics, service, byOperation);
  }

  #alarm(id: keyof typeof meanings, props: MetricAlarmProps): cloudwatch.Alarm {
    return metricAlarm(this, id, meanings[id], props);
  }

  /** Fires when an error budget burns at this rate in both windows. */
  #burning(
    { id, rate, shortMinutes, shortWindows, longMinutes }: (typeof burns)[number],
    all: ServiceMetrics,
  ): cloudwatch.AlarmBase {
    const { stackName } = Stack.of(this);
    const meaning = `A part of ${stackName}-${id}, which notifies people.`;
    const rules = budgets.map(({ name, percent, missed }) => {
      const threshold = Number((rate * percent).toFixed(3));
      // The metrics of an expression have one period, so each window is an alarm of its own.
      const inWindow = (minutes: number, expression: string, evaluationPeriods: number): cloudwatch.Alarm => {
        const part = `${id}${name}${String(minutes)}Minutes`;
        const metric = metricMath(expression, all, part, Duration.minutes(minutes));
        const props = { metric, threshold, datapointsToAlarm: 1, evaluationPeriods };
        return metricAlarm(this, part, meaning, props);
      };
      const share = `100 * (${missed}) / requests`;
      // A few failures, as at night, are no reason to notify people.
      const isTooFew = `(requests < 200) || (${missed} < 10)`;
      return cloudwatch.AlarmRule.allOf(
        inWindow(shortMinutes, share, shortWindows),
        inWindow(longMinutes, `IF(${isTooFew}, 0, ${share})`, 1),
      );
    });
    const meaningOfAll = `Failed or slow requests burn an error budget ${String(rate)} times too fast.`;
    return new cloudwatch.CompositeAlarm(this, id, {
      compositeAlarmName: `${stackName}-${id}`,
      alarmDescription: describe(id, meaningOfAll),
      alarmRule: cloudwatch.AlarmRule.anyOf(...rules),
    });
  }
}

/** The threshold is the lowest value that breaches. */
type MetricAlarmProps = Pick<cloudwatch.AlarmProps, 'metric' | 'threshold'> & Partial<cloudwatch.AlarmProps>;

/** Without data, it is OK: there were no requests, or no log lines of failures. */
const metricAlarm = (scope: Construct, id: string, meaning: string, props: MetricAlarmProps, name = id) =>
  new cloudwatch.Alarm(scope, id, {
    alarmName: `${Stack.of(scope).stackName}-${name}`,
    alarmDescription: describe(name, meaning),
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    // Early enough for a canary; one bad minute rolls nothing back.
    datapointsToAlarm: 2,
    evaluationPeriods: 5,
    ...props,
  });

/** The meaning, and the runbook's section: a URL if a GitHub workflow deploys, otherwise a path. */
const describe = (name: string, meaning: string): string => {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = process.env;
  // On main, because a link to the commit would change every alarm in each release.
  const folder = server === '' || repository === '' ? '' : `${server}/${repository}/blob/main/`;
  const section = name
    .replace(/^.*Release$/, 'a-release-fails')
    .replace(/^.*Burn.*$/, 'fastburn-and-slowburn');
  return `${meaning} Without data, it is OK. What to do: ${folder}docs/runbook.md#${section.toLowerCase()}`;
};

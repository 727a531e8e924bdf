import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Operation, Service } from '../operation.ts';
import type { ServiceFunction } from '../service-function.ts';
import { serviceDashboard } from './dashboard.ts';
import { countLogLines } from './log-metrics.ts';
import { budgets, metricMath, operationMetrics, type ServiceMetrics, serviceMetrics } from './metrics.ts';
import { monthlyBudget, notify } from './notifications.ts';

interface AlarmProps {
  /** Its name after the stack's; default: its id. */
  readonly name?: string;
  /** For the person on call. */
  readonly meaning: string;
  readonly metric: cloudwatch.IMetric;
  /** The lowest value that breaches. */
  readonly threshold: number;
  /** Default: two of five, early enough for a canary; one bad minute rolls nothing back. */
  readonly periods?: readonly [breaching: number, evaluated: number];
}

/**
 * Burn rates, each with the short and the long window that must both reach it: 2 % of the budget in an hour,
 * 5 % in six (SRE Workbook, “Alerting on SLOs”).
 */
const burns = [
  // Two short windows, because log lines of the newer one can be late.
  { id: 'FastBurn', rate: 14.4, shortMinutes: 5, shortWindows: 2, longMinutes: 60 },
  { id: 'SlowBurn', rate: 6, shortMinutes: 30, shortWindows: 1, longMinutes: 360 },
] as const;

/** With fewer in the long window, a burn sets off no alarm: a few failures at night are no reason to page. */
const floor = { requests: 200, missed: 10 } as const;

/**
 * Alarms that roll a release back and, in a stage with recipients, alarms that notify them, a dashboard and a
 * budget. docs/slo.md shows which alarm goes off when.
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
    const release = metricAlarm(this, 'Release', {
      meaning:
        'At least 5 % of all requests fail, are slow or cannot be decided. ' +
        'This only rolls a release of the authorizer back.',
      metric: metrics.worstShare,
      threshold: 5,
    });
    const deniedCallers = metricAlarm(this, 'DeniedCallers', {
      meaning:
        'At least 5 % of callers with a current token of the issuer are denied. ' +
        'This also rolls a release back.',
      metric: metrics.deniedCallerShare,
      threshold: 5,
    });
    // A busy operation cannot hide a bad version of a quiet one from its own alarm.
    const ofOperations = new Map(operations.map((operation) => [operation, operationMetrics(operation)]));
    const rollback = new Map<ServiceFunction, readonly cloudwatch.Alarm[]>();
    for (const [operation, { worstShare: metric }] of ofOperations) {
      const name = `${operation.node.id}Release`;
      const meaning =
        `At least 5 % of the requests to ${operation.node.id} fail or are slow. ` +
        'This only rolls a release of it back.';
      rollback.set(operation, [
        metricAlarm(operation, 'ReleaseAlarm', { name, meaning, metric, threshold: 5 }),
      ]);
    }
    this.rollback = rollback.set(authorizer, [release, deniedCallers]);
    if (stage.alarmRecipients.length === 0) return;

    countLogLines(this, authorizer.logGroup, 'KeySetFailures');
    for (const operation of operations) countLogLines(operation, operation.logGroup, 'DamagedItems');
    // A unit of concurrency allows ten invocations per second, and a request takes 8/7 (docs/scale.md).
    const lambdaLimit = ((stage.lambdaConcurrency ?? Infinity) * 10 * 7) / 8;
    const notifying = [
      ...burns.map((burn) => this.#burning(burn, metrics)),
      deniedCallers,
      metricAlarm(this, 'KeySetFailures', {
        meaning:
          'The issuer’s keys cannot be fetched. A copy is used for an hour; without one, callers get a 500.',
        metric: metrics.keySetFailures,
        threshold: 1,
        // A failure in one minute is usually the network. Log lines can be three minutes late.
        periods: [3, 8],
      }),
      metricAlarm(this, 'Refused', {
        meaning: 'At least a fifth of all requests get a 4xx: an attacker, a broken client, or the throttle.',
        metric: metrics.refusedShare,
        threshold: 20,
        // A failure that is a 400 counts as refused until its log line arrives, up to three minutes late.
        periods: [4, 6],
      }),
      metricAlarm(this, 'NearThrottle', {
        meaning:
          'The requests reach 80 % of the stage’s throttle or of the account’s Lambda concurrency. ' +
          'Beyond, callers get errors.',
        metric: metrics.requests,
        threshold: 0.8 * Math.min(stage.throttle.rateLimit, lambdaLimit) * 60,
      }),
      metricAlarm(this, 'DamagedItems', {
        meaning: 'Damaged items are left out of responses, so some callers do not see all their plants.',
        metric: metrics.damagedItems,
        threshold: 1,
        // Twelve hours: an item that is read again and again sends one mail.
        periods: [1, 720],
      }),
    ];
    notify(scope, stage.alarmRecipients, notifying);
    monthlyBudget(scope, stage);
    const alarms = new Set([...notifying, ...[...rollback.values()].flat()]);
    serviceDashboard(scope, [...alarms], metrics, service, ofOperations);
  }

  /** Goes off when a budget burns at this rate in both windows. */
  #burning(
    { id, rate, shortMinutes, shortWindows, longMinutes }: (typeof burns)[number],
    all: ServiceMetrics,
  ): cloudwatch.AlarmBase {
    const { stackName } = Stack.of(this);
    const rules = budgets.map(({ name, percent, missed }) => {
      // The metrics of an expression have one period, so each window is an alarm of its own.
      const inWindow = (minutes: number, expression: string, evaluated: number): cloudwatch.Alarm => {
        const part = `${id}${name}${String(minutes)}Minutes`;
        return metricAlarm(this, part, {
          meaning: `A part of ${stackName}-${id}, which notifies people.`,
          metric: metricMath(expression, all, part, Duration.minutes(minutes)),
          threshold: Number((rate * percent).toFixed(3)),
          periods: [1, evaluated],
        });
      };
      const share = `100 * (${missed}) / requests`;
      const isNight = `(requests < ${String(floor.requests)}) || (${missed} < ${String(floor.missed)})`;
      return cloudwatch.AlarmRule.allOf(
        inWindow(shortMinutes, share, shortWindows),
        inWindow(longMinutes, `IF(${isNight}, 0, ${share})`, 1),
      );
    });
    const meaning = `Failed or slow requests use up a month’s budget ${String(rate)} times too fast.`;
    return new cloudwatch.CompositeAlarm(this, id, {
      compositeAlarmName: `${stackName}-${id}`,
      alarmDescription: describe(id, meaning),
      alarmRule: cloudwatch.AlarmRule.anyOf(...rules),
    });
  }
}

/** Without data, it is off: there were no requests, or no log lines of failures. */
const metricAlarm = (
  scope: Construct,
  id: string,
  { name = id, meaning, metric, threshold, periods: [breaching, evaluated] = [2, 5] }: AlarmProps,
): cloudwatch.Alarm =>
  new cloudwatch.Alarm(scope, id, {
    alarmName: `${Stack.of(scope).stackName}-${name}`,
    alarmDescription: describe(name, meaning),
    metric,
    threshold,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    datapointsToAlarm: breaching,
    evaluationPeriods: evaluated,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });

/** The meaning, and the runbook's section: a URL if a GitHub workflow deploys, otherwise a path. */
const describe = (name: string, meaning: string): string => {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = process.env;
  // On main, because a link to the commit would change every alarm in each release.
  const folder = server === '' || repository === '' ? '' : `${server}/${repository}/blob/main/`;
  const section = name
    .replace(/^.*Release$/, 'a-release-fails')
    .replace(/^.*Burn.*$/, 'fastburn-and-slowburn');
  return `${meaning} Without data, it is off. What to do: ${folder}docs/runbook.md#${section.toLowerCase()}`;
};

import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type Burn, burns, objective } from './objective.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Fewer requests in the long window set off no alarm, so that one failure at night does not. */
const floorOfRequests = 200;

/** What an objective counts. */
interface Budget {
  /** Percent of the requests. */
  readonly goal: number;
  readonly requests: IMetric;
  readonly failures: IMetric;
}

/** An alarm on an objective's budget. The metrics of an expression have one period, so each window is an alarm of its own. */
const burnAlarm = (
  scope: Construct,
  id: string,
  alarmDescription: string,
  { rate, shortMinutes, longMinutes }: Burn,
  { goal, requests, failures }: Budget,
): CompositeAlarm => {
  const { stackName } = Stack.of(scope);
  const inWindow = (minutes: number, expression: string): Alarm =>
    new Alarm(scope, `${id}${String(minutes)}Minutes`, {
      alarmName: `${stackName}-${id}${String(minutes)}Minutes`,
      alarmDescription: `A part of ${stackName}-${id}, which notifies people.`,
      metric: new MathExpression({
        expression,
        usingMetrics: { failures, requests },
        label: `requests that missed the objective in ${String(minutes)} minutes, %`,
        period: Duration.minutes(minutes),
      }),
      threshold: Number((rate * (100 - goal)).toFixed(3)),
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  return new CompositeAlarm(scope, id, {
    compositeAlarmName: `${stackName}-${id}`,
    alarmDescription,
    alarmRule: AlarmRule.allOf(
      inWindow(shortMinutes, '100 * failures / requests'),
      inWindow(longMinutes, `IF(requests < ${String(floorOfRequests)}, 0, 100 * failures / requests)`),
    ),
  });
};

/**
 * The alarms on both objectives' budgets.
 * @param describe the description of an alarm, from its id and meaning
 */
export const burnAlarms = (
  scope: Construct,
  metrics: ServiceMetrics,
  describe: (id: string, meaning: string) => string,
): readonly CompositeAlarm[] => {
  const availability = { ...metrics, goal: objective.availability };
  const latency = {
    goal: objective.latency,
    requests: metrics.shortLists,
    failures: metrics.slowShortLists,
  };
  const make = (id: string, burn: Burn, budget: Budget, meaning: string): CompositeAlarm =>
    burnAlarm(scope, id, describe(id, meaning), burn, budget);
  return [
    make(
      'FastBurn',
      burns.fast,
      availability,
      'Callers get so many failures that 2 % of a month’s error budget is gone in an hour.',
    ),
    make(
      'SlowBurn',
      burns.slow,
      availability,
      'Callers get so many failures that 5 % of a month’s error budget is gone in six hours.',
    ),
    make(
      'FastLatencyBurn',
      burns.fast,
      latency,
      'So many short lists are slow that 2 % of a month’s latency budget is gone in an hour.',
    ),
    make(
      'SlowLatencyBurn',
      burns.slow,
      latency,
      'So many short lists are slow that 5 % of a month’s latency budget is gone in six hours.',
    ),
  ];
};

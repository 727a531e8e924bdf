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
import type { Burn } from './objective.ts';

/** Fewer requests in the long window set off no alarm, so that one failure at night does not. */
const floorOfRequests = 200;

/** What an objective counts. */
export interface Budget {
  /** Percent of the requests. */
  readonly goal: number;
  readonly requests: IMetric;
  readonly failures: IMetric;
}

/** An alarm on an objective's budget. The metrics of an expression have one period, so each window is an alarm of its own. */
export const burnAlarm = (
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

import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

export interface ServiceAlarmProps {
  /** The alarm's name behind that of the stack. */
  readonly name: string;
  readonly description: string;
  readonly metric: IMetric;
  /** It is on at this value and above. */
  readonly threshold: number;
  /** In so many of the last periods. */
  readonly periods: readonly [breaching: number, evaluated: number];
}

/** An alarm of the stack. Without data it is off: there were no requests, or no log line of a failure. */
export const serviceAlarm = (
  scope: Construct,
  id: string,
  { name, description, metric, threshold, periods: [breaching, evaluated] }: ServiceAlarmProps,
): Alarm =>
  new Alarm(scope, id, {
    alarmName: `${Stack.of(scope).stackName}-${name}`,
    alarmDescription: description,
    metric,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: evaluated,
    datapointsToAlarm: breaching,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });

/** The sections of docs/runbook.md whose heading is not the alarm's name. */
const anchors: readonly (readonly [RegExp, string])[] = [
  [/Burn$/, 'fastburn-and-slowburn'],
  [/Release$/, 'a-release-fails'],
];

/** What an alarm means, and its section of the runbook: a URL if a GitHub workflow deploys, or else a path in the checkout. */
export const describeAlarm = (name: string, meaning: string): string => {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = process.env;
  // The runbook on main: a link to that of the commit would change every alarm in each release.
  const folder = server === '' || repository === '' ? '' : `${server}/${repository}/blob/main/`;
  const [, anchor = name.toLowerCase()] = anchors.find(([pattern]) => pattern.test(name)) ?? [];
  return `${meaning} Without data, it is off. What to do: ${folder}docs/runbook.md#${anchor}`;
};

import { Stack } from 'aws-cdk-lib';
import { CfnServiceLevelObjective } from 'aws-cdk-lib/aws-applicationsignals';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { toMetricDataQueries } from './metric-data-queries.ts';

/** What callers can rely on, over 30 days. docs/slo.md says it in words. */
export const objective = {
  /** Percent of all requests that are answered without a 5xx or a 400 with an error of 2xxx. */
  availability: 99.9,
  /** Percent of lists of up to 20 plants whose response takes at most `listMilliseconds`. */
  latency: 99,
  listMilliseconds: 300,
  days: 30,
} as const;

/** A pair of windows. An alarm goes off when the budget burns at this multiple of the even rate in both. */
export interface Burn {
  readonly rate: number;
  readonly shortMinutes: number;
  readonly longMinutes: number;
}

/** The rates of the SRE Workbook, “Alerting on SLOs”: 2 % of the budget in an hour, 5 % in six. */
export const burns = {
  fast: { rate: 14.4, shortMinutes: 5, longMinutes: 60 },
  slow: { rate: 6, shortMinutes: 30, longMinutes: 360 },
} as const satisfies Readonly<Record<string, Burn>>;

export interface ObjectivesProps {
  readonly requests: IMetric;
  /** Requests that were answered with a 5xx, or a 400 with an error of 2xxx. */
  readonly failures: IMetric;
  readonly shortLists: IMetric;
  readonly slowShortLists: IMetric;
}

/** The objective as CloudWatch keeps it: what is attained, the budget that is left, and how fast it burns. */
export class Objectives extends Construct {
  constructor(scope: Construct, id: string, props: ObjectivesProps) {
    super(scope, id);
    const add = (name: string, description: string, goal: number, bad: IMetric, total: IMetric): void => {
      new CfnServiceLevelObjective(this, name, {
        name: `${Stack.of(this).stackName}-${name}`,
        description,
        requestBasedSli: {
          requestBasedSliMetric: {
            monitoredRequestCountMetric: { badCountMetric: [...toMetricDataQueries(bad)] },
            totalRequestCountMetric: [...toMetricDataQueries(total)],
          },
        },
        goal: {
          attainmentGoal: goal,
          interval: { rollingInterval: { duration: objective.days, durationUnit: 'DAY' } },
        },
        burnRateConfigurations: Object.values(burns)
          .flatMap(({ shortMinutes, longMinutes }) => [shortMinutes, longMinutes])
          .map((lookBackWindowMinutes) => ({ lookBackWindowMinutes })),
      });
    };
    add(
      'Availability',
      'Requests are answered without a 5xx or a 400 with an error of 2xxx.',
      objective.availability,
      props.failures,
      props.requests,
    );
    add(
      'Latency',
      `Lists of up to 20 plants are answered within ${String(objective.listMilliseconds)} ms.`,
      objective.latency,
      props.slowShortLists,
      props.shortLists,
    );
  }
}

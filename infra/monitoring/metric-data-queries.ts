import type { CfnServiceLevelObjective } from 'aws-cdk-lib/aws-applicationsignals';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

type Query = CfnServiceLevelObjective.MetricDataQueryProperty;

/** A metric or an expression of metrics as a service level objective names it. CDK renders only alarms and graphs. */
export const toMetricDataQueries = (metric: IMetric, id = 'value', returnData = true): readonly Query[] => {
  const { metricStat, mathExpression } = metric.toMetricConfig();
  if (mathExpression) {
    return [
      { id, expression: mathExpression.expression, returnData },
      ...Object.entries(mathExpression.usingMetrics).flatMap(([name, used]) =>
        toMetricDataQueries(used, name, false),
      ),
    ];
  }
  if (!metricStat) throw new Error(`${id} is neither a metric nor an expression.`);
  const { namespace, metricName, dimensions = [], period, statistic } = metricStat;
  return [
    {
      id,
      metricStat: {
        metric: {
          namespace,
          metricName,
          dimensions: dimensions.map(({ name, value }) => ({ name, value: String(value) })),
        },
        period: period.toSeconds(),
        stat: statistic,
      },
      returnData,
    },
  ];
};

import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';

type Metrics = Readonly<Record<string, IMetric>>;

/** An expression of those metrics that it names: each metric in an alarm is charged for. */
export const metricMath = (
  expression: string,
  metrics: Metrics,
  label: string,
  period = Duration.minutes(1),
): MathExpression => {
  const isUsed = ([name]: readonly [string, IMetric]): boolean =>
    new RegExp(`\\b${name}\\b`).test(expression);
  const usingMetrics = Object.fromEntries(Object.entries(metrics).filter(isUsed));
  return new MathExpression({ expression, usingMetrics, label: `${label}, %`, period });
};

/** A part in percent: 0 while the part is less than the floor, so that a few requests are no share. */
export const shareOf = (
  metrics: Metrics,
  label: string,
  floor: number,
  part: string,
  whole: string,
): MathExpression =>
  metricMath(`IF(${part} < ${String(floor)}, 0, 100 * (${part}) / (${whole}))`, metrics, label);

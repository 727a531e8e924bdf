import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';

export const minute = Duration.minutes(1);
export const fiveMinutes = Duration.minutes(5);

/** A metric with its name in an expression. All names in one alarm or graph must differ, if the metrics do. */
type Named = Readonly<Record<string, IMetric>>;

export const expression = (
  text: string,
  usingMetrics: Named,
  label: string,
  period = minute,
): MathExpression => new MathExpression({ expression: text, usingMetrics, label, period });

/** A part of something in percent: 0 while the part is less than the floor, so that a few requests are no share. */
export const share = (
  label: string,
  part: Named,
  whole: Named,
  floor: number,
  period = minute,
): MathExpression => {
  const [[partName], [wholeName]] = [Object.keys(part), Object.keys(whole)];
  return expression(
    `IF(FILL(${String(partName)}, 0) < ${String(floor)}, 0, 100 * FILL(${String(partName)}, 0) / ${String(wholeName)})`,
    { ...part, ...whole },
    `${label}, %`,
    period,
  );
};

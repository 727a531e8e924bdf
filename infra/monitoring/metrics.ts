import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../service-function.ts';
import type { Service } from '../service.ts';
import type { LogMetrics } from './log-metrics.ts';

const period = Duration.minutes(1);
/** Options of a latency metric that make it the percentage within the objective of 300 ms (docs/slo.md). */
const fastPercentOptions = { statistic: Stats.percentileRank(300), period };

/** Metrics by the names that expressions use. */
export type Metrics = Readonly<Record<string, IMetric>>;

export const math = (
  expression: string,
  usingMetrics: Metrics,
  window = period,
  label?: string,
): MathExpression => new MathExpression({ expression, usingMetrics, period: window, label });

/**
 * The largest of several terms, minute by minute. AWS advises against MAX in an alarm because MAX of one
 * series is a single value of the whole window. MAX of several series is by element, so the advice does not
 * apply (CloudWatch, "Using math expressions with CloudWatch metrics").
 */
export const largest = (terms: readonly string[], usingMetrics: Metrics, window = period): MathExpression =>
  math(`MAX([${terms.join(', ')}])`, usingMetrics, window);

/** Adds metrics up. A metric without data counts as 0, because metrics of logs are minutes late. */
const sum = (metrics: Metrics): string => {
  const terms = Object.keys(metrics).map((name) => `FILL(${name}, 0)`);
  return `(${terms.join(' + ')})`;
};

/** A part and its whole, such as failed and all requests. Each is the sum of its metrics. */
export interface Proportion {
  readonly part: Metrics;
  readonly whole: Metrics;
}

/** A part in percent of its whole, or 0 for a part below `atLeast`, so that few requests fire no alarm. */
export const percentage = ({ part, whole }: Proportion, atLeast = 5, window = period): MathExpression =>
  new MathExpression({
    expression: `IF(${sum(part)} < ${String(atLeast)}, 0, 100 * ${sum(part)} / ${sum(whole)})`,
    usingMetrics: { ...part, ...whole },
    label: `${Object.keys(part).join(' + ')}, %`,
    period: window,
  });

/** The series one minute earlier, because DIFF is the difference from the minute before. */
const minuteEarlier = (name: string, series: IMetric): MathExpression =>
  math(`${name} - DIFF(${name})`, { [name]: series });

/**
 * For each minute: in how many of the last `minutes` minutes a metric was at or above a threshold. Of the
 * added series, `minute0` is 1 or 0 for the minute itself, `minute1` for the minute before it, and so on.
 *
 * The expressions for three minutes:
 *
 *     minute0 = FILL(watched, 0) >= threshold
 *     minute1 = minute0 - DIFF(minute0)
 *     minute2 = minute1 - DIFF(minute1)
 *     result = minute0 + minute1 + minute2
 */
export const countBreaches = (metric: IMetric, threshold: number, minutes: number): MathExpression => {
  let breaches = math(`FILL(watched, 0) >= ${String(threshold)}`, { watched: metric });
  let series: Metrics = { minute0: breaches };
  for (let ago = 1; ago < minutes; ago += 1) {
    breaches = minuteEarlier(`minute${String(ago - 1)}`, breaches);
    series = { ...series, [`minute${String(ago)}`]: breaches };
  }
  return math(Object.keys(series).join(' + '), series);
};

const functionMetrics = ({ live }: ServiceFunction, otherFailures: Metrics = {}) => {
  const invocations = live.metricInvocations({ period });
  const throttles = live.metricThrottles({ period });
  const failed = { errors: live.metricErrors({ period }), throttles, ...otherFailures };
  const fastPercent = live.metricDuration(fastPercentOptions);
  const slow = math('invocations * (100 - fast) / 100', { invocations, fast: fastPercent });
  const failedShare = percentage({ part: failed, whole: { invocations, throttles } });
  const slowShare = percentage({ part: { slow }, whole: { invocations } }, 10);
  return { counts: { invocations, ...failed }, percentages: { failedShare, slowShare } };
};

const authorizerMetrics = (authorizer: ServiceFunction, { denials, deniedCallers }: LogMetrics) => {
  const { counts, percentages } = functionMetrics(authorizer);
  // Leaves out denials of made-up and expired tokens, so that a flood of them does not lower the percentage.
  const decisionsOnCallers = math('invocations - FILL(denials, 0) + FILL(deniedCallers, 0)', {
    invocations: counts.invocations,
    denials,
    deniedCallers,
  });
  const deniedShare = percentage({ part: { deniedCallers }, whole: { callers: decisionsOnCallers } });
  return { counts: { ...counts, denials, deniedCallers }, percentages: { ...percentages, deniedShare } };
};

/**
 * The metrics of a service by the minute. `requests` counts all requests, and `failed`, `refused` and `slow`
 * count the parts of them that alarms and the dashboard show as percentages.
 */
export const serviceMetrics = ({ api, authorizer }: Service, logMetrics: LogMetrics) => {
  const requests = api.metricCount({ period });
  const fastPercent = api.metricLatency(fastPercentOptions);
  const clientErrors = api.metricClientError({ period });
  const { retryable } = logMetrics;
  return {
    requests: { requests },
    failed: { serverErrors: api.metricServerError({ period }), retryable },
    refused: { refused: math('clientErrors - FILL(retryable, 0)', { clientErrors, retryable }) },
    slow: { slow: math('requests * (100 - fast) / 100', { requests, fast: fastPercent }) },
    authorizer: authorizerMetrics(authorizer, logMetrics),
    operations: logMetrics.operations.map(({ operation, retryable: retryableErrors }) => ({
      operation,
      ...functionMetrics(operation, { retryable: retryableErrors }),
    })),
  };
};

export type ServiceMetrics = ReturnType<typeof serviceMetrics>;

import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../service-function.ts';
import type { Service } from '../service.ts';
import type { LogMetrics } from './log-metrics.ts';

const period = Duration.minutes(1);
/** The percentage of requests or invocations within the objective's latency (docs/slo.md). */
const fastPercent = { statistic: Stats.percentileRank(300), period };

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

/** Adds metrics up. One without data counts as 0, because metrics of logs are minutes late. */
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

/** In how many minutes, of a minute and those before it, a metric is at least at a threshold. */
export const countBreaches = (metric: IMetric, threshold: number, minutes: number): MathExpression => {
  let minute: Metrics = { minute0: math(`FILL(watched, 0) >= ${String(threshold)}`, { watched: metric }) };
  let all = minute;
  for (let before = 1; before < minutes; before += 1) {
    // A series without its difference from the minute before is the series of the minute before.
    const [name = ''] = Object.keys(minute);
    minute = { [`minute${String(before)}`]: math(`${name} - DIFF(${name})`, minute) };
    all = { ...all, ...minute };
  }
  return math(Object.keys(all).join(' + '), all);
};

const functionMetrics = ({ live }: ServiceFunction, otherFailures: Metrics = {}) => {
  const invocations = live.metricInvocations({ period });
  const throttles = live.metricThrottles({ period });
  const failed = { errors: live.metricErrors({ period }), throttles, ...otherFailures };
  const fast = live.metricDuration(fastPercent);
  const slow = math('invocations * (100 - fast) / 100', { invocations, fast });
  const failedShare = percentage({ part: failed, whole: { invocations, throttles } });
  const slowShare = percentage({ part: { slow }, whole: { invocations } }, 10);
  return { counts: { invocations, ...failed }, percentages: { failedShare, slowShare } };
};

const authorizerMetrics = (authorizer: ServiceFunction, { denials, deniedCallers }: LogMetrics) => {
  const { counts, percentages } = functionMetrics(authorizer);
  // Only denials of callers count as decisions, so that a flood of made-up tokens does not hide them.
  const callers = math('invocations - FILL(denials, 0) + FILL(deniedCallers, 0)', {
    invocations: counts.invocations,
    denials,
    deniedCallers,
  });
  const deniedShare = percentage({ part: { deniedCallers }, whole: { callers } });
  return { counts: { ...counts, denials, deniedCallers }, percentages: { ...percentages, deniedShare } };
};

/**
 * The metrics of a service by the minute. `requests` counts all requests, and `failed`, `refused` and `slow`
 * count the parts of them that alarms and the dashboard show as percentages.
 */
export const serviceMetrics = ({ api, authorizer }: Service, logMetrics: LogMetrics) => {
  const requests = api.metricCount({ period });
  const fast = api.metricLatency(fastPercent);
  const clientErrors = api.metricClientError({ period });
  const { retryable } = logMetrics;
  return {
    requests: { requests },
    failed: { serverErrors: api.metricServerError({ period }), retryable },
    refused: { refused: math('clientErrors - FILL(retryable, 0)', { clientErrors, retryable }) },
    slow: { slow: math('requests * (100 - fast) / 100', { requests, fast }) },
    authorizer: authorizerMetrics(authorizer, logMetrics),
    operations: logMetrics.operations.map(({ operation, retryable: retryableErrors }) => ({
      operation,
      ...functionMetrics(operation, { retryable: retryableErrors }),
    })),
  };
};

export type ServiceMetrics = ReturnType<typeof serviceMetrics>;

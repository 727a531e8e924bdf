import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type DenialReason, signedTokenDenials } from '../../functions/authorizer/denial.ts';
import type { AuthorizerLogEntry } from '../../functions/authorizer/log-events.ts';
import type { OperationLogEntry } from '../../functions/runtime/log-events.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Service } from '../service.ts';

const period = Duration.minutes(1);
/** The percentage of requests or invocations within the objective's latency (docs/slo.md). */
const fastPercent = { statistic: Stats.percentileRank(300), period };

/** Metrics by the names that expressions use. */
export type Metrics = Readonly<Record<string, IMetric>>;

export const math = (expression: string, usingMetrics: Metrics, window = period): MathExpression =>
  new MathExpression({ expression, usingMetrics, period: window });

/** A part and its whole, each the sum of its metrics. */
export type Share = Readonly<Record<'part' | 'whole', Metrics>>;

/** A part in percent of its whole, or 0 if it is below `atLeast`: a few requests fire no alarm. */
export const share = ({ part, whole }: Share, atLeast = 5, window = period): MathExpression =>
  new MathExpression({
    expression: `IF(${sum(part)} < ${String(atLeast)}, 0, 100 * ${sum(part)} / ${sum(whole)})`,
    usingMetrics: { ...part, ...whole },
    label: `${Object.keys(part).join(' + ')}, %`,
    period: window,
  });

/** Without data, a metric counts as 0: those of logs are minutes late. */
const sum = (metrics: Metrics): string => {
  const terms = Object.keys(metrics).map((name) => `FILL(${name}, 0)`);
  return `(${terms.join(' + ')})`;
};

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

type LogEvent = (AuthorizerLogEntry | OperationLogEntry)['event'];
// Lambda's JSON log format puts a function's own entry into `message`.
const event = (name: LogEvent) => FilterPattern.stringValue('$.message.event', '=', name);
const reason = (name: DenialReason) => FilterPattern.stringValue('$.message.reason', '=', name);
const isRetryable = FilterPattern.numberValue('$.message.error', '>=', 2000);

const patterns = {
  RetryableErrors: FilterPattern.all(event('request-failed'), isRetryable),
  DamagedItems: event('damaged-items'),
  KeySetFailures: FilterPattern.any(event('key-set-refresh-failed'), event('key-set-unavailable')),
  Denials: event('denied'),
  // Clients keep expired tokens, so these are not counted.
  DeniedCallers: FilterPattern.any(...signedTokenDenials.filter((each) => each !== 'lifetime').map(reason)),
};

/** Counts lines in the logs of functions. The first use of a metric creates its filters. */
export const countLines = (from: readonly ServiceFunction[], name: keyof typeof patterns, prefix = '') => {
  const metricName = `${prefix}${name}`;
  // One namespace for each stage, because two can share an account.
  const [namespace = ''] = from.map(({ stack }) => stack.stackName);
  // With a default, the metric exists before the first such line, so that expressions can use it.
  const props = { filterPattern: patterns[name], metricNamespace: namespace, metricName, defaultValue: 0 };
  for (const each of from.filter(({ node }) => node.tryFindChild(metricName) === undefined))
    new MetricFilter(each, metricName, { logGroup: each.logGroup, ...props });
  return new Metric({ namespace, metricName, statistic: Stats.SUM, period });
};

const functionMetrics = ({ live }: ServiceFunction, otherFailures: Metrics = {}) => {
  const invocations = live.metricInvocations({ period });
  const throttles = live.metricThrottles({ period });
  const failed = { errors: live.metricErrors({ period }), throttles, ...otherFailures };
  const fast = live.metricDuration(fastPercent);
  const slow = math('invocations * (100 - fast) / 100', { invocations, fast });
  const failedShare = share({ part: failed, whole: { invocations, throttles } });
  const slowShare = share({ part: { slow }, whole: { invocations } }, 10);
  return { counts: { invocations, ...failed }, shares: { failedShare, slowShare } };
};

const authorizerMetrics = (authorizer: ServiceFunction) => {
  const { counts, shares } = functionMetrics(authorizer);
  const deniedCallers = countLines([authorizer], 'DeniedCallers');
  const denials = countLines([authorizer], 'Denials');
  // Without other denials: a flood of made-up tokens must not hide denied callers.
  const used = { invocations: counts.invocations, denials, deniedCallers };
  const callers = math('invocations - FILL(denials, 0) + FILL(deniedCallers, 0)', used);
  const deniedShare = share({ part: { deniedCallers }, whole: { callers } });
  return { counts: { ...counts, denials, deniedCallers }, shares: { ...shares, deniedShare } };
};

/** The metrics of a service by the minute. Those of all its requests are parts and a whole of shares. */
export const serviceMetrics = ({ api, authorizer, operations }: Service) => {
  const requests = api.metricCount({ period });
  const fast = api.metricLatency(fastPercent);
  const clientErrors = api.metricClientError({ period });
  // Failures with the status 400.
  const retryable = countLines(operations, 'RetryableErrors');
  return {
    requests: { requests },
    failed: { serverErrors: api.metricServerError({ period }), retryable },
    refused: { refused: math('clientErrors - FILL(retryable, 0)', { clientErrors, retryable }) },
    slow: { slow: math('requests * (100 - fast) / 100', { requests, fast }) },
    authorizer: authorizerMetrics(authorizer),
    operations: operations.map((operation) => {
      const own = countLines([operation], 'RetryableErrors', operation.node.id);
      return { operation, ...functionMetrics(operation, { retryable: own }) };
    }),
  };
};

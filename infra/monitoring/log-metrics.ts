import { Stack } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  FilterPattern,
  type IFilterPattern,
  type JsonPattern,
  type LogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type LogEvent, signedTokenDenials } from '../../functions/shared/log-events.ts';

/** Log lines that are counted as a metric. */
export interface LogMetric {
  /** The name of the metric and of its filter. */
  readonly name: string;
  readonly pattern: IFilterPattern;
  /** The line's field to sum up; default: 1 for each line. */
  readonly sum?: string;
}

// Lambda's JSON log format puts a function's own entry into `message`. `log-events.ts` has the entries.
const event = (name: LogEvent): JsonPattern => FilterPattern.stringValue('$.message.event', '=', name);
const status = (code: number): JsonPattern => FilterPattern.stringValue('$.status', '=', String(code));
const retryableError = [event('request-failed'), FilterPattern.numberValue('$.message.error', '>=', 2000)];
/**
 * Lists that succeeded in up to 1,999 bytes: 20 plants as docs/scale.md assumes them have 1,001. The access log holds texts,
 * which a filter compares by regular expressions (without parentheses, five in a log group).
 */
const shortList = '($.status = "200") && ($.responseLength = %^1?[0-9]{1,3}$%)';
/** Over 300 ms. */
const slow = '($.latencyMs = %^30[1-9]$|^3[1-9][0-9]$|^[4-9][0-9]{2}$|^[0-9]{4}%)';

export const logMetrics = {
  retryableErrors: {
    name: 'RetryableErrors',
    pattern: FilterPattern.all(...retryableError),
  },
  damagedItems: {
    name: 'DamagedItems',
    // A filter can sum up only a field that its pattern names.
    pattern: FilterPattern.all(event('damaged-items'), FilterPattern.numberValue('$.message.count', '>=', 1)),
    sum: '$.message.count',
  },
  keySetFailures: {
    name: 'KeySetFailures',
    pattern: FilterPattern.any(event('key-set-refresh-failed'), event('key-set-unavailable')),
  },
  denials: { name: 'Denials', pattern: event('denied') },
  deniedSignedTokens: {
    name: 'DeniedSignedTokens',
    pattern: FilterPattern.any(
      // Nobody can make up many such tokens.
      ...signedTokenDenials.map((reason) => FilterPattern.stringValue('$.message.reason', '=', reason)),
    ),
  },
  /** Anyone can make up a token of an unknown key, so such failures say nothing about a release. */
  unknownKeys: {
    name: 'UndecidedUnknownKeys',
    pattern: FilterPattern.all(
      event('undecided'),
      FilterPattern.stringValue('$.message.reason', '=', 'unknown-key'),
    ),
  },
  forbidden: { name: 'Forbidden', pattern: status(403) },
  tooManyRequests: { name: 'TooManyRequests', pattern: status(429) },
  shortLists: { name: 'ShortLists', pattern: FilterPattern.literal(`{ ${shortList} }`) },
  slowShortLists: { name: 'SlowShortLists', pattern: FilterPattern.literal(`{ ${shortList} && ${slow} }`) },
} as const satisfies Readonly<Record<string, LogMetric>>;

const by = (version: string): JsonPattern => FilterPattern.stringValue('$.message.version', '=', version);

/** The denials by one version of the authorizer. */
export const denialsBy = (version: string): LogMetric => ({
  name: 'NewVersionDenials',
  pattern: FilterPattern.all(event('denied'), by(version)),
});

/** The retryable errors of one version of the list function. */
export const retryableErrorsBy = (version: string): LogMetric => ({
  name: 'NewVersionErrors',
  pattern: FilterPattern.all(...retryableError, by(version)),
});

/** Counts log lines with a metric filter, at no cost in the functions. */
export const countLogLines = (
  scope: Construct,
  logGroup: LogGroup,
  { name, pattern, sum = '1' }: LogMetric,
): Metric =>
  new MetricFilter(scope, `${name}Filter`, {
    logGroup,
    filterPattern: pattern,
    // One namespace for each stage, because two can share an account.
    metricNamespace: Stack.of(scope).stackName,
    metricName: name,
    metricValue: sum,
    // So that the metric exists before the first such line, and expressions can use it.
    defaultValue: 0,
  }).metric({ statistic: 'sum' });

import { type DenialReason, signedTokenDenials } from '../../../functions/shared/log-events.ts';
import type { Metric, Series } from './alarms.ts';
import type { Value } from './metric-math.ts';

/** The traffic of one minute. Shares are from 0 to 1. */
export interface Minute {
  /** Requests of callers with valid tokens. */
  readonly requests: number;
  /** The share of the requests that goes to other operations than the list, and does not fail. */
  readonly otherShare?: number;
  /** The number of requests that fail with a 5xx. */
  readonly serverErrors?: number;
  /** Shares of the requests, by outcome. */
  readonly serverErrorShare?: number;
  readonly retryableShare?: number;
  readonly slowShare?: number;
  readonly tooManyRequestsShare?: number;
  /** The share of the requests that is denied. */
  readonly deniedShare?: number;
  /** The reason of these denials; default: `audience`. */
  readonly reason?: DenialReason;
  /** The share of decisions that fail. */
  readonly failedDecisionShare?: number;
  /** Requests of an attacker, each with another made-up token. */
  readonly madeUpTokens?: number;
  /** How many of these are undecided: a fetch of the key set failed, and the copy lacks their key. */
  readonly undecidedTokens?: number;
  /** Clients that retry an expired token, each with another spelling of the header: none is cached. */
  readonly expiredTokens?: number;
  readonly keySetFailures?: number;
  readonly damagedItems?: number;
}

/** The gateway caches decisions: at six requests a minute, one per seven (docs/scale.md, “Inputs”). */
const requestsPerDecision = 7;

/** The reasons that `DeniedCallers` counts: alarms.test.ts compares the filter's pattern with these. */
export const countedReasons: readonly DenialReason[] = signedTokenDenials.filter(
  (each) => each !== 'lifetime',
);

/** What CloudWatch counts in a minute. */
const countsOf = (minute: Minute): Readonly<Record<string, Value>> => {
  const { requests, deniedShare = 0, madeUpTokens = 0, expiredTokens = 0 } = minute;
  const { undecidedTokens = 0, reason = 'audience' } = minute;
  const decisions = requests / requestsPerDecision;
  const attack = madeUpTokens + expiredTokens;

  const forbidden = deniedShare * requests + attack - undecidedTokens;
  const tooManyRequests = (minute.tooManyRequestsShare ?? 0) * requests;
  const failedDecisions = (minute.failedDecisionShare ?? 0) * decisions;
  const served = (1 - deniedShare) * requests - tooManyRequests;
  const listed = (1 - (minute.otherShare ?? 0)) * served;
  const crashes = (minute.serverErrors ?? 0) + (minute.serverErrorShare ?? 0) * listed;
  const serverErrors = crashes + failedDecisions;
  const retryable = (minute.retryableShare ?? 0) * listed;
  const slow = (minute.slowShare ?? 0) * (listed - serverErrors - retryable);

  const ifAny = (count: number, value: number): Value => (count > 0 ? Math.round(value) : undefined);
  const gateway = (value: number): Value => ifAny(requests + attack, value);
  const inAuthorizer = (value: number): Value => ifAny(decisions + attack, value);
  const inList = (value: number): Value => ifAny(listed, value);
  return {
    'ApiGateway Count': gateway(requests + attack),
    'ApiGateway 4xx': gateway(forbidden + tooManyRequests + retryable),
    'ApiGateway 5xx': gateway(serverErrors + undecidedTokens),
    'ApiGateway Latency within 300 ms': gateway(requests + attack - slow),
    'Lambda Invocations ListPlants': inList(listed),
    'Lambda Errors ListPlants': inList(crashes),
    'Lambda Throttles ListPlants': inList(0),
    'Lambda Duration ListPlants within 300 ms': inList(listed - slow),
    'log ListPlantsRetryableErrors': inList(retryable),
    'log RetryableErrors': inList(retryable),
    'log DamagedItems': inList(minute.damagedItems ?? 0),
    'Lambda Invocations Authorizer': inAuthorizer(decisions + attack),
    'Lambda Errors Authorizer': inAuthorizer(failedDecisions + undecidedTokens),
    'log Denials': inAuthorizer(deniedShare * decisions + attack - undecidedTokens),
    'log DeniedCallers': inAuthorizer(countedReasons.includes(reason) ? deniedShare * decisions : 0),
    'log KeySetFailures': inAuthorizer(minute.keySetFailures ?? 0),
  };
};

/** A metric with these values, kept as prefix sums: the sum of a window is one subtraction. */
const metricOf = (values: readonly Value[]): Metric => {
  let total = 0;
  let present = 0;
  const upTo = [{ total, present }];
  for (const value of values) {
    if (value !== undefined) [total, present] = [total + value, present + 1];
    upTo.push({ total, present });
  }
  return (first, end) => {
    const before = upTo[Math.max(0, first)];
    const after = upTo[Math.max(0, end)];
    if (before === undefined || after === undefined || before.present >= after.present) return undefined;
    return after.total - before.total;
  };
};

/** CloudWatch's series for these minutes. */
export const seriesOf = (minutes: readonly Minute[]): Series => {
  const counts = minutes.map(countsOf);
  return new Map(
    Object.keys(counts[0] ?? {}).map((name) => [name, metricOf(counts.map((each) => each[name]))]),
  );
};

/** The data that CloudWatch has at the end of a minute, when metrics from logs are late. */
export const arrivedBy = (series: Series, minute: number, logsLate: number): Series =>
  logsLate === 0
    ? series
    : new Map(
        [...series].map(([name, metric]) => [
          name,
          name.startsWith('log ')
            ? (first, end) => metric(first, Math.min(end, minute + 1 - logsLate))
            : metric,
        ]),
      );

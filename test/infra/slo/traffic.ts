import type { Series } from './alarms.ts';
import type { Value } from './metric-math.ts';

/** What happens in one minute. Shares are from 0 to 1. */
export interface Minute {
  /** Of callers with valid tokens. */
  readonly requests: number;
  /** Their requests that fail. */
  readonly serverErrors?: number;
  readonly retryableErrors?: number;
  /** Shares of their requests that fail. */
  readonly serverErrorShare?: number;
  readonly retryableShare?: number;
  readonly slowShare?: number;
  readonly tooManyRequestsShare?: number;
  /** The share of these callers that is denied. */
  readonly deniedShare?: number;
  /** The share of decisions that fail. */
  readonly failedDecisionShare?: number;
  /** Requests of an attacker, each with another made-up token. */
  readonly madeUpTokens?: number;
  /** How many of these are not decided, because a fetch of the key set failed and the copy lacks their key. */
  readonly undecidedTokens?: number;
  /** Requests of an attacker with one token that the issuer signed once. */
  readonly oneExpiredToken?: number;
  /** The share of a release's new versions, and what is wrong with them. Otherwise requests fail in both versions alike. */
  readonly newVersion?: {
    readonly share: number;
    readonly deniesEverybody?: boolean;
    readonly failsAlone?: boolean;
  };
  readonly keySetFailures?: number;
  readonly damagedItems?: number;
  readonly functionThrottles?: number;
  readonly tableThrottles?: number;
}

/** The gateway caches each decision, so with six requests a minute one in seven is decided (docs/scale.md, section 2). */
const requestsPerDecision = 7;

/** What CloudWatch counts in a minute. */
const countsOf = (minute: Minute): Readonly<Record<string, Value>> => {
  const { requests, deniedShare = 0, madeUpTokens = 0, oneExpiredToken = 0, newVersion } = minute;
  const { undecidedTokens = 0 } = minute;
  const decisions = requests / requestsPerDecision;
  const deniedByNew = newVersion?.deniesEverybody === true ? newVersion.share : 0;
  const deniedCallers = Math.min(1, deniedShare + deniedByNew);
  const attack = madeUpTokens + oneExpiredToken;
  const attackDecisions = madeUpTokens + Math.min(1, oneExpiredToken);
  const newShare = newVersion?.share ?? 0;

  const forbidden = deniedCallers * requests + attack - undecidedTokens;
  const tooManyRequests = (minute.tooManyRequestsShare ?? 0) * requests;
  const failedDecisions = (minute.failedDecisionShare ?? 0) * decisions;
  const served = (1 - deniedCallers) * requests - tooManyRequests;
  const serverErrors = (minute.serverErrors ?? 0) + (minute.serverErrorShare ?? 0) * served + failedDecisions;
  const retryable = (minute.retryableErrors ?? 0) + (minute.retryableShare ?? 0) * served;
  const lists = served - serverErrors - retryable;
  const failedInList = serverErrors - failedDecisions;
  const newFailures = newVersion?.failsAlone === true ? 1 : newShare;
  const allDecisions = decisions + attackDecisions;
  const allDenials = deniedCallers * decisions + attackDecisions - undecidedTokens;

  const ifAny = (count: number, value: number): Value => (count > 0 ? Math.round(value) : undefined);
  const gateway = (value: number): Value => ifAny(requests + attack, value);
  const inAuthorizer = (value: number): Value => ifAny(allDecisions, value);
  const ofNewVersion = (value: number): Value => ifAny(newShare * allDecisions, value);
  const inList = (value: number): Value => ifAny(served, value);
  return {
    'ApiGateway Count': gateway(requests + attack),
    'ApiGateway 4xx': gateway(forbidden + tooManyRequests + retryable),
    'ApiGateway 5xx': gateway(serverErrors + undecidedTokens),
    'log Forbidden': gateway(forbidden),
    'log TooManyRequests': gateway(tooManyRequests),
    'log ShortLists': gateway(lists),
    'log SlowShortLists': gateway((minute.slowShare ?? 0) * lists),
    'log RetryableErrors': inList(retryable),
    'log NewVersionErrors': inList(newFailures * retryable),
    'Lambda Invocations ListPlants': inList(served),
    'Lambda Errors ListPlants': inList(failedInList),
    'Lambda Invocations ListPlants of the new version': ifAny(newShare * served, newShare * served),
    'Lambda Errors ListPlants of the new version': ifAny(newShare * served, newFailures * failedInList),
    'log DamagedItems': inList(minute.damagedItems ?? 0),
    'Lambda Invocations Authorizer': inAuthorizer(allDecisions),
    'Lambda Errors Authorizer': inAuthorizer(failedDecisions + undecidedTokens),
    'Lambda Invocations Authorizer of the new version': ofNewVersion(newShare * allDecisions),
    'Lambda Errors Authorizer of the new version': ofNewVersion(
      newShare * (failedDecisions + undecidedTokens),
    ),
    'log Denials': inAuthorizer(allDenials),
    'log DeniedSignedTokens': inAuthorizer(deniedCallers * decisions + Math.min(1, oneExpiredToken)),
    'log NewVersionDenials': inAuthorizer(
      deniedByNew * decisions + newShare * (deniedShare * decisions + attackDecisions - undecidedTokens),
    ),
    'log UndecidedUnknownKeys': inAuthorizer(undecidedTokens),
    'log KeySetFailures': inAuthorizer(minute.keySetFailures ?? 0),
    'Lambda Throttles Authorizer': inAuthorizer(0),
    'Lambda Throttles ListPlants': inList(minute.functionThrottles ?? 0),
    'DynamoDB ThrottledRequests': minute.tableThrottles,
  };
};

/** The series that CloudWatch has of some minutes. */
export const seriesOf = (minutes: readonly Minute[]): Series => {
  const counts = minutes.map(countsOf);
  return new Map(Object.keys(counts[0] ?? {}).map((name) => [name, counts.map((each) => each[name])]));
};

import type { Minute } from './traffic.ts';

export interface Scenario {
  /** A row of the table in docs/slo.md. */
  readonly name: string;
  /** What happens in each minute from 0; before, and after these, it is a normal day. */
  readonly minutes: readonly Minute[];
  /** Before and after. */
  readonly normal: Minute;
}

const times = (count: number, minute: Minute): readonly Minute[] =>
  Array.from({ length: count }, () => minute);
const canary = { share: 0.1 };
const failsAlone = { share: 0.1, failsAlone: true };
const deniesEverybody = { share: 0.1, deniesEverybody: true };
const none: Minute = { requests: 0 };

/** What a stage meets at a steady rate of requests per second. */
export const scenariosAt = (rate: number): readonly Scenario[] => {
  const normal: Minute = { requests: rate * 60 };
  const during = (name: string, count: number, change: Partial<Minute>): Scenario => ({
    name,
    normal,
    minutes: times(count, { ...normal, ...change }),
  });
  return [
    during('a normal day, one request in 2,000 fails', 720, { serverErrorShare: 0.0005 }),
    during('three unlucky requests', 1, { serverErrors: 3 }),
    during('one bad minute: every request fails', 1, { serverErrorShare: 1 }),
    during('an outage of ten minutes', 10, { serverErrorShare: 1 }),
    during('a fast burn: 2 % fail for two hours', 120, { retryableShare: 0.02 }),
    during('a slow burn: 0.8 % fail for twelve hours', 720, { retryableShare: 0.008 }),
    during('every tenth short list takes over 300 ms, ten minutes', 10, { slowShare: 0.1 }),
    during('a latency burn: 8 % of short lists take over 300 ms for eight hours', 480, { slowShare: 0.08 }),
    during('the issuer is out for ten minutes: one decision in ten fails', 10, {
      failedDecisionShare: 0.1,
      keySetFailures: 5,
    }),
    during('the stage’s audience is wrong: everybody is denied', 30, { deniedShare: 1 }),
    during('one caller in ten is denied, as many as let their token expire', 30, { deniedShare: 0.1 }),
    during('an attacker with made-up tokens, 100 per second', 30, { madeUpTokens: 6000 }),
    during('an attacker who repeats one expired token, 100 per second', 30, { oneExpiredToken: 6000 }),
    during('20 % of requests exceed the throttle', 30, { tooManyRequestsShare: 0.2 }),
    during('a damaged item is read once', 1, { damagedItems: 1 }),
    during('Lambda rejects one invocation', 1, { functionThrottles: 1 }),
    during('the table throttles ten reads a minute, ten minutes', 10, { tableThrottles: 10 }),
    during('canary of a good release', 5, { newVersion: canary }),
    during('canary of a good release, and three unlucky requests', 5, {
      newVersion: canary,
      serverErrors: 0.6,
    }),
    during('canary of a good release, and the attacker with made-up tokens', 5, {
      newVersion: canary,
      madeUpTokens: 6000,
    }),
    during('the same, and a fetch of the key set fails in each minute', 5, {
      newVersion: canary,
      madeUpTokens: 6000,
      undecidedTokens: 100,
      keySetFailures: 1,
    }),
    during('canary of a good release, and the attacker with one expired token', 5, {
      newVersion: canary,
      oneExpiredToken: 6000,
    }),
    during('canary of a good release, and a caller whose own lists fail, 10 % of all', 5, {
      newVersion: canary,
      retryableShare: 0.1,
    }),
    during('canary of a list function that crashes', 5, { newVersion: failsAlone, serverErrorShare: 0.1 }),
    during('canary of a list function that cannot read the table', 5, {
      newVersion: failsAlone,
      retryableShare: 0.1,
    }),
    during('canary of a list function that fails for one request in five', 5, {
      newVersion: failsAlone,
      retryableShare: 0.02,
    }),
    during('canary of a slow list function', 5, { newVersion: canary, slowShare: 0.1 }),
    during('canary of an authorizer that throws', 5, { newVersion: canary, failedDecisionShare: 0.1 }),
    during('canary of an authorizer that denies everybody', 5, { newVersion: deniesEverybody }),
    during('the same, and the attacker with made-up tokens', 5, {
      newVersion: deniesEverybody,
      madeUpTokens: 6000,
    }),
    during('canary of a list function that crashes, and the attacker with made-up tokens', 5, {
      newVersion: failsAlone,
      serverErrorShare: 0.1,
      madeUpTokens: 6000,
    }),
  ];
};

/** A night: hardly a request, or none. */
export const nights: readonly Scenario[] = [
  { name: 'a night without traffic', normal: none, minutes: times(480, none) },
  { name: 'the same, and one request that fails', normal: none, minutes: [{ requests: 1, serverErrors: 1 }] },
  {
    name: 'the same, and an attacker with made-up tokens, 100 per second',
    normal: none,
    minutes: times(30, { requests: 0, madeUpTokens: 6000 }),
  },
  {
    name: 'a request a minute, and one fails',
    normal: { requests: 1 },
    minutes: [{ requests: 1, serverErrors: 1 }],
  },
  {
    name: 'six requests a minute, and three fail in one minute of a canary',
    normal: { requests: 6 },
    minutes: [
      { requests: 6, serverErrors: 3, newVersion: canary },
      ...times(4, { requests: 6, newVersion: canary }),
    ],
  },
  {
    name: 'a request a second, and 15 % of short lists take over 300 ms for two hours',
    normal: { requests: 60 },
    minutes: times(120, { requests: 60, slowShare: 0.15 }),
  },
  {
    name: 'a request a minute, and all fail for an hour',
    normal: { requests: 1 },
    minutes: times(60, { requests: 1, serverErrors: 1 }),
  },
];

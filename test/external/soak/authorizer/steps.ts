import type { Behaviour } from './faulty-issuer.ts';
import type { TokenKind } from './token-kinds.ts';

export type Decision = 'allowed' | 'denied' | 'failed';

/** A request to the authorizer, and what happens before it. */
export interface Step {
  /** How far the clock is set forward first, in milliseconds. */
  readonly later: number;
  /** What the issuer does from now on. */
  readonly issuer?: Behaviour;
  /** The issuer replaces its keys first. */
  readonly rotate?: true;
  readonly token: TokenKind;
  readonly expected: Decision;
  /** How often the authorizer fetches the key set for it; 0 unless set. */
  readonly fetches?: number;
}

const soon = 100;
/** Past the pause after a failed fetch. */
const afterPause = 1_100;
/** Past the age up to which no token causes another fetch. */
const afterLatest = 6_000;
/** Past the age at which a copy is refreshed. */
const afterRefresh = 601_000;
/** Past the age up to which a copy is used. */
const afterCopy = 3_600_000;

const decisions: readonly (readonly [TokenKind, Decision])[] = [
  ['rsa', 'allowed'],
  ['ec', 'allowed'],
  ['ed', 'allowed'],
  ['without-kid', 'allowed'],
  ['many-groups', 'allowed'],
  ['large', 'allowed'],
  ['too-many-groups', 'denied'],
  ['expired', 'denied'],
  ['early', 'denied'],
  ['other-audience', 'denied'],
  ['other-signature', 'denied'],
  ['unknown-kid', 'denied'],
  ['unknown-key-without-kid', 'denied'],
  ['malformed', 'denied'],
  ['not-bearer', 'denied'],
  ['too-large', 'denied'],
];

/** With a copy of the key set that is a few seconds old, no token causes a fetch. */
const ordinary = decisions.map(([token, expected]): Step => ({ later: soon, token, expected }));

const rotation: readonly Step[] = [
  { later: afterLatest, token: 'unknown-kid', expected: 'denied', fetches: 1 },
  { later: soon, token: 'unknown-kid', expected: 'denied' },
  { later: afterLatest, rotate: true, token: 'rsa', expected: 'allowed', fetches: 1 },
  { later: soon, token: 'withdrawn', expected: 'denied' },
  { later: soon, token: 'ec', expected: 'allowed' },
  { later: afterLatest, rotate: true, token: 'without-kid', expected: 'allowed', fetches: 1 },
  { later: afterRefresh, token: 'ed', expected: 'allowed', fetches: 1 },
];

const outage = (issuer: Behaviour): readonly Step[] => [
  { later: afterRefresh, issuer, token: 'rsa', expected: 'allowed', fetches: 1 },
  { later: soon, token: 'ec', expected: 'allowed' },
  { later: soon, token: 'unknown-kid', expected: 'failed' },
  { later: soon, token: 'expired', expected: 'denied' },
  { later: afterPause, token: 'unknown-kid', expected: 'failed', fetches: 1 },
  { later: afterPause, rotate: true, token: 'rsa', expected: 'failed', fetches: 1 },
  { later: soon, token: 'withdrawn', expected: 'allowed' },
  { later: afterCopy, token: 'withdrawn', expected: 'failed', fetches: 1 },
  { later: soon, token: 'rsa', expected: 'failed' },
  { later: soon, token: 'malformed', expected: 'denied' },
  { later: afterPause, issuer: 'good', token: 'rsa', expected: 'allowed', fetches: 1 },
  { later: soon, token: 'withdrawn', expected: 'denied' },
];

const manyKeys: readonly Step[] = [
  { later: afterRefresh, issuer: 'many', token: 'ed', expected: 'allowed', fetches: 1 },
  { later: soon, token: 'ec', expected: 'allowed' },
  { later: soon, token: 'unknown-kid', expected: 'denied' },
  { later: afterRefresh, issuer: 'good', token: 'ed', expected: 'allowed', fetches: 1 },
];

const silence: readonly Step[] = [
  { later: afterRefresh, issuer: 'silent', token: 'rsa', expected: 'allowed', fetches: 1 },
  { later: soon, token: 'rsa', expected: 'allowed' },
  { later: afterPause, issuer: 'good', token: 'rsa', expected: 'allowed', fetches: 1 },
];

const outages: readonly Behaviour[] = [
  ...(['fails', 'redirects', 'empty', 'unusable', 'garbage', 'html', 'halved'] as const),
  ...(['large', 'endless', 'resets', 'cut'] as const),
];

/** Steps without end. */
export function* authorizerSteps(): Generator<Step, never> {
  yield { later: 0, token: 'rsa', expected: 'allowed', fetches: 1 };
  for (let round = 0; ; round += 1) {
    yield* rotation;
    for (const issuer of outages) {
      yield* outage(issuer);
      yield* ordinary;
    }
    // These take a tenth of a second and two seconds.
    if (round % 3 === 0) yield* manyKeys;
    if (round % 20 === 0) yield* silence;
  }
}

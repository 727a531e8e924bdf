import fc from 'fast-check';
import { clockToleranceSeconds } from '../../../functions/authorizer/claims.ts';
import type { Principal } from '../../../table/principal.ts';
import {
  type Caller,
  issuerKeys,
  type ListStep,
  type NewToken,
  type ValidQuery,
  type Step,
  invalidFields,
  type InvalidQuery,
} from './steps.ts';

// Names that are both a subject and a group, or that look like the key of another partition.
const subjects = ['ann', 'bob', 'group#herbs'] as const;
const groups = ['herbs', 'ann', 'user#bob'] as const;
const principal: fc.Arbitrary<Principal> = fc.constantFrom(
  ...subjects.map((each): Principal => `user#${each}`),
  ...groups.map((each): Principal => `group#${each}`),
);
const caller: fc.Arbitrary<Caller> = fc.record({
  subject: fc.constantFrom(...subjects),
  groups: fc.subarray([...groups]),
});

/** A weighted choice. Shrinks to the first alternative. */
const weighted = <Value>(...choices: readonly (readonly [weight: number, fc.Arbitrary<Value>])[]) =>
  fc.oneof({ withCrossShrink: true }, ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const name = weighted(
  [3, fc.constantFrom('a', 'b', 'ab', 'A', ' ', '0')],
  // Names that sort differently by UTF-16 units, or that a Unicode normalization would change.
  [
    3,
    fc.constantFrom('\u{1f335}', '\uffee', '\ue000', 'é', 'e\u0301', '水', '\u{10ffff}', '\ufb01', '\ufeff'),
  ],
  [1, fc.constantFrom('"\\', '\u0001', '\u2028', '<&?=;', 'x'.repeat(900), '\u{1f335}'.repeat(225))],
  [1, fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }).map((text) => text.replaceAll('\0', '0'))],
);
const plant = { name, id: fc.constantFrom('1', '2', 'é', '1\u00002') };

const validTimes: readonly NewToken['times'][] = [
  {},
  { exp: 10 },
  { exp: 20 },
  { exp: 3600 },
  { iat: clockToleranceSeconds, nbf: clockToleranceSeconds },
];
const invalidTimes: readonly NewToken['times'][] = [
  { exp: 0 },
  { nbf: clockToleranceSeconds + 1 },
  { iat: clockToleranceSeconds + 1 },
];
const issuedToken: fc.Arbitrary<NewToken> = fc.record({
  key: weighted<NewToken['key']>([5, fc.constant('current')], [1, fc.constantFrom(...issuerKeys)]),
  isForged: fc.constant(false),
  kid: fc.constantFrom('of the key', 'of the key', 'none'),
  times: weighted([14, fc.constantFrom(...validTimes)], [1, fc.constantFrom(...invalidTimes)]),
});
const wrongToken: fc.Arbitrary<NewToken> = fc.oneof(
  issuedToken.map((token): NewToken => ({ ...token, isForged: true })),
  issuedToken.map((token): NewToken => ({ ...token, isForged: true, kid: 'unknown' })),
  fc.tuple(issuedToken, fc.constantFrom(...invalidFields)).map(([token, wrong]) => ({ ...token, wrong })),
);

const limit = weighted<number | undefined>(
  [1, fc.constant(undefined)],
  [4, fc.integer({ min: 1, max: 5 })],
  [1, fc.constantFrom(0, 2_147_483_647)],
);
const fromTheStart: fc.Arbitrary<ValidQuery> = fc.record({ limit });
const fromACursor: fc.Arbitrary<ValidQuery> = fc.record({ limit, cursor: fc.nat(9) });
const invalidQuery: fc.Arbitrary<InvalidQuery> = fc.constantFrom(
  { wrong: 'limit=-1', error: 1001 },
  { wrong: 'limit=', error: 1001 },
  { wrong: 'limit=05', error: 1001 },
  { wrong: 'limit=2147483648', error: 1001 },
  { wrong: 'limit=1&limit=1', error: 1001 },
  { wrong: 'limit=x&cursor=x', error: 1001 },
  { wrong: 'limit=2&cursor=x', error: 1002 },
  { wrong: 'cursor=', error: 1002 },
  { wrong: 'limit=0&cursor=a&cursor=b', error: 1002 },
);

const request: fc.Arbitrary<ListStep> = fc.record({
  caller,
  token: weighted<ListStep['token']>([6, issuedToken], [2, wrongToken], [3, fc.constant('the last')]),
  query: weighted<ListStep['query']>([5, fromTheStart], [4, fromACursor], [1, invalidQuery]),
});

/** One request, or two concurrent ones of different users, which never send the same token. */
const requests: fc.Arbitrary<readonly ListStep[]> = weighted<readonly ListStep[]>(
  [6, fc.tuple(request)],
  [1, fc.tuple(request, request).filter(([first, second]) => first.caller.subject !== second.caller.subject)],
);

const issuerState = fc.constantFrom('works', 'works', 'works', 'does not respond', 'has no keys');
const seconds = fc.constantFrom(1, 0.5, 4, 5, 10, 20, 40, 61, 300, 600, 3000);

/** Any history. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  weighted<Step>(
    [35, fc.record({ step: fc.constant('list'), requests })],
    [24, fc.record({ step: fc.constant('grant'), to: principal, ...plant })],
    [10, fc.record({ step: fc.constant('revoke'), from: principal, plant: fc.nat(9) })],
    [2, fc.record({ step: fc.constant('damage'), of: principal, ...plant })],
    [3, fc.record({ step: fc.constant('rotate'), keys: fc.subarray([...issuerKeys], { minLength: 1 }) })],
    [3, fc.record({ step: fc.constant('issuer'), state: issuerState })],
    [2, fc.record({ step: fc.constant('store'), works: fc.constantFrom(true, true, true, false) })],
    [12, fc.record({ step: fc.constant('time passes'), seconds })],
  ),
  { minLength: 1, maxLength: 80, size: 'max' },
);

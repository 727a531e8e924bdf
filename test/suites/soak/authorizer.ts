import { expect, vi } from 'vitest';
import { z } from 'zod';
import { corpus } from '../../attacks/corpus.ts';
import { jwksOf } from '../../attacks/keys.ts';
import { type Issuer, issuerOf } from '../../support/issuer.ts';
import type { GoodReply, Link } from '../../support/link.ts';
import { ecKey, rsaKey } from '../../support/tokens.ts';
import { closed, responseFaults, type ResponseFault, silent, withFault } from '../faults/faults.ts';
import type { FunctionProcess } from './process/function-process.ts';
import type { Target } from './soak.ts';

type Decision = 'allowed' | 'denied' | 'undecided';

/** A request to the authorizer. */
interface Step {
  readonly what: string;
  /** How far the clock is set forward first, in milliseconds. */
  readonly later: number;
  readonly authorization: () => string;
  readonly expected: Decision;
}

const soon = 100;
/** Past the pause after a failed fetch, and the age up to which no token causes another fetch. */
const afterPause = 6_000;
/** Past the age at which a copy is refreshed. */
const afterRefresh = 601_000;
/** Past the age up to which a copy is used. */
const afterCopy = 3_600_000;

const manyKeys = Array.from({ length: 1500 }, (_, index) => ecKey(`many-${String(index)}`).jwk);

const faults: readonly ResponseFault[] = [
  ...responseFaults.filter(({ jwks }) => jwks !== undefined),
  closed,
  {
    name: '300 KB of other keys',
    change: (good) => ({
      ...good,
      body: Buffer.from(good.body.toString().replace(/\]\}$/, `,${JSON.stringify(manyKeys).slice(1)}}`)),
    }),
    jwks: 200,
  },
];

/** The attacks that need no certain state of the key set. */
const attacks = Object.values(corpus)
  .flat()
  .filter(({ jwks }) => jwks === 'fetched');

/** For each fault of the key set: a rotation while it lasts, and all attacks afterwards. */
function* stepsOf(link: Link, newIssuer: () => Issuer): Generator<Step, never> {
  let issuer = newIssuer();
  const respond = (): Promise<GoodReply> =>
    Promise.resolve({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(jwksOf(issuer))),
    });
  const bearer =
    ({ token }: Issuer, header = {}): Step['authorization'] =>
    () =>
      `Bearer ${token({ header })}`;
  for (let round = 0; ; round += 1) {
    // A silent key set takes two seconds for each fetch.
    for (const fault of round % 4 === 0 ? [...faults, silent] : faults) {
      const step = (
        what: string,
        later: number,
        authorization: Step['authorization'],
        expected: Decision,
      ): Step => ({ what: `${what}, key set: ${fault.name}`, later, authorization, expected });
      const failing = fault.jwks === 500 ? 'undecided' : undefined;
      const last = issuer;

      link.respond(respond);
      yield step('before the fault', afterRefresh, bearer(last), 'allowed');
      link.respond(withFault(respond, fault));
      yield step('a known key', afterRefresh, bearer(last), 'allowed');
      yield step('an unknown key', soon, bearer(last, { kid: 'unknown' }), failing ?? 'denied');
      issuer = newIssuer();
      yield step('a new key', afterPause, bearer(issuer), failing ?? 'allowed');
      yield step('a withdrawn key', afterCopy, bearer(last), failing ?? 'denied');
      link.respond(respond);
      yield step('after the fault', afterPause, bearer(issuer), 'allowed');
      for (const { name, authorization, expected } of attacks) {
        const header = (): string => [authorization(issuer) ?? ''].flat().join(',');
        yield step(name, soon, header, expected === 'allowed' ? 'allowed' : 'denied');
      }
    }
  }
}

const decisionSchema = z.union([
  z.strictObject({ isAuthorized: z.literal(false) }).transform((): Decision => 'denied'),
  z
    .object({ isAuthorized: z.literal(true), context: z.object({ callerId: z.string().length(16) }) })
    .transform((): Decision => 'allowed'),
]);

/** The authorizer with an issuer whose keys rotate and whose key set fails, with a clock that advances by hours each second. */
export const authorizer = ({ invoke, measure }: FunctionProcess, keySet: Link, audience: string): Target => {
  // Making an RSA key takes 0.1 s.
  const keys = [rsaKey(''), rsaKey('')];
  let generation = 0;
  const steps = stepsOf(keySet, () => {
    generation += 1;
    const key = keys[generation % keys.length] ?? rsaKey('');
    const kid = `rsa-${String(generation)}`;
    return issuerOf({ ...key, kid, jwk: { ...key.jwk, kid } }, keySet.url, audience);
  });
  let aheadMs = 0;
  return {
    send: async () => {
      const { what, later, authorization, expected } = steps.next().value;
      aheadMs += later;
      // Tokens are signed at the time of the function's clock.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
      const header = authorization();
      vi.useRealTimers();
      const outcome = await invoke({
        event: {
          version: '2.0',
          type: 'REQUEST',
          identitySource: [header],
          headers: { authorization: header },
        },
        remainingMs: 5000,
        aheadMs,
      });
      const decision =
        outcome.type === 'result'
          ? decisionSchema.parse(outcome.payload)
          : outcome.errorType === 'JwksUnavailable'
            ? 'undecided'
            : outcome;
      expect(decision, what).toEqual(expected);
    },
    measure,
  };
};

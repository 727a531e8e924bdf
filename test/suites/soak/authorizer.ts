import { expect, vi } from 'vitest';
import { z } from 'zod';
import { corpus } from '../../attacks/corpus.ts';
import { jwksOf } from '../../attacks/keys.ts';
import type { BundledFunction } from '../../../local/stack/bundle.ts';
import { type Issuer, issuerOf } from '../../support/issuer.ts';
import type { FakeServer, GoodReply } from '../../support/fake-server.ts';
import { rsaKey } from '../../support/tokens.ts';
import { closed, responseFaults, silent, withFault } from '../faults/faults.ts';
import { startUnderLoad } from './function-under-load.ts';
import type { Target } from './soak.ts';

const result = z.object({ isAuthorized: z.boolean() });
type Decision = 'allowed' | 'denied' | 'undecided';
/** A request to the authorizer, `waitedMs` after the previous one, and the expected decision. */
type Step = readonly [what: string, waitedMs: number, header: () => string, expected: Decision];

/** Milliseconds after which: an unknown key causes a fetch again; a copy is refreshed; a copy expires. */
const after = { pause: 6000, refresh: 601_000, copy: 3_600_000 } as const;

const faults = [...responseFaults.filter(({ jwks }) => jwks !== undefined), closed];

/** The attacks for a key set that can be fetched. A tenth of them follows each fault. */
const attacks = corpus.filter(({ jwks }) => jwks === 'fetched');

/** For each fault of the key set: the issuer's key changes while it lasts, and attacks follow. */
function* stepsOf(keySet: FakeServer, newIssuer: () => Issuer): Generator<Step, never> {
  let issuer = newIssuer();
  const respond = (): Promise<GoodReply> =>
    Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(jwksOf(issuer))) });
  for (let round = 0; ; round += 1) {
    const { token } = issuer;
    const known = (): string => `Bearer ${token()}`;
    const next = (): string => `Bearer ${issuer.token()}`;
    // Each fetch from a silent key set takes two seconds, so it is rare.
    const fault = (round % 50 === 49 ? undefined : faults[round % faults.length]) ?? silent;
    const failing = fault.jwks === 500 ? 'undecided' : undefined;
    keySet.respond(withFault(respond, fault));
    yield [`a known key, ${fault.name}`, after.refresh, known, 'allowed'];
    yield [
      `an unknown key, ${fault.name}`,
      100,
      () => `Bearer ${token({ header: { kid: '?' } })}`,
      failing ?? 'denied',
    ];
    issuer = newIssuer();
    yield [`a new key, ${fault.name}`, after.pause, next, failing ?? 'allowed'];
    yield [`a withdrawn key, ${fault.name}`, after.copy, known, failing ?? 'denied'];
    keySet.respond(respond);
    yield [`after ${fault.name}`, after.pause, next, 'allowed'];
    for (const { name, authorization, expected } of attacks.filter((_, index) => index % 10 === round % 10)) {
      const header = (): string => [authorization(issuer) ?? ''].flat().join(',');
      yield [name, 100, header, expected === 'allowed' ? 'allowed' : 'denied'];
    }
  }
}

/** The authorizer with an issuer whose keys change and whose key set fails, on a clock that skips hours. */
export const authorizer = async (functions: readonly BundledFunction[]): Promise<Target> => {
  const { invoke, server, ...started } = await startUnderLoad(functions, 'JWKS_URI');
  const key = rsaKey('');
  const steps = stepsOf(server, () => {
    const kid = crypto.randomUUID();
    return issuerOf({ ...key, kid, jwk: { ...key.jwk, kid } }, server.url, 'plants');
  });
  let nowMs = Date.now();
  const send = async (): Promise<void> => {
    const [what, waitedMs, header, expected] = steps.next().value;
    nowMs += waitedMs;
    // Tokens are signed at the time of the function's clock.
    vi.setSystemTime(nowMs);
    const event = { identitySource: [header()] };
    vi.useRealTimers();
    const decision = await invoke({ event, nowMs, remainingMs: 5000 }).then(
      (decided): Decision => (result.parse(decided).isAuthorized ? 'allowed' : 'denied'),
      (error: unknown) => (String(error).includes('JwksUnavailable') ? 'undecided' : error),
    );
    expect(decision, what).toBe(expected);
  };
  return { send, ...started };
};

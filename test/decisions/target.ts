import { expect } from 'vitest';
import { type Issuer, issuerOf } from '../support/issuer.ts';
import { ecKey } from '../support/tokens.ts';
import type { IssuerServer } from './issuer-server.ts';
import type { Outcome, Scenario } from './scenarios.ts';

/** An authorizer that has not met any token of a scenario. */
export interface Target {
  /** The `iss` and the `aud` of valid tokens. */
  readonly name: string;
  readonly audience: string;
  readonly decide: (authorization: string) => Promise<Outcome>;
  /** Lets time pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** Goes through a scenario, and expects each outcome. */
export const expectOutcomes = async (
  { steps }: Scenario,
  { publish }: IssuerServer,
  { name, audience, decide, pass }: Target,
): Promise<void> => {
  const issuer: Issuer = issuerOf(ecKey('unused'), name, audience);
  for (const [index, { publishes, afterSeconds, token, outcome }] of steps.entries()) {
    if (publishes !== undefined) publish(publishes === 'down' ? undefined : publishes);
    if (afterSeconds !== undefined) await pass(afterSeconds);
    const changes = token(Math.floor(Date.now() / 1000));
    // Each token is new, so that no gateway has a result for it.
    const unique = { ...changes, claims: { jti: crypto.randomUUID(), ...changes.claims } };
    expect([index, await decide(`Bearer ${issuer.token(unique)}`)]).toEqual([index, outcome]);
  }
};

import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import { cachedJwks, fetchJwks, JwksUnavailable } from '../../functions/authorizer/jwks.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import { issuerOf } from '../support/issuer.ts';
import { recordingLog } from '../support/recording-log.ts';
import { ecKey } from '../support/tokens.ts';
import { type IssuerServer, startIssuer } from './issuer-server.ts';
import { type Outcome, scenarios } from './scenarios.ts';

const { token, name, audience } = issuerOf(ecKey('unused'), 'https://login.example.com/', 'plant-store');

let issuer: IssuerServer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

/** An authorizer that has no key set yet, with a clock that the test can advance. */
const startAuthorizer = () => {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const log = recordingLog();
  const jwks = cachedJwks({ algorithms, fetchJwks: () => fetchJwks(issuer.jwksUri), now, log });
  const profile = { name: 'rfc9068', audience } as const;
  const policy = { profile, issuer: name, algorithms, groupsClaim: 'groups' };
  return {
    passSeconds: (seconds: number) => {
      ahead += seconds * 1000;
    },
    decide: async (authorization: string): Promise<Outcome> => {
      try {
        const dependencies = { policy, callerIdSalt: 'salt', jwks, now, log };
        const { isAuthorized } = await authorize(dependencies, { identitySource: [authorization] });
        return isAuthorized ? 'allowed' : 'denied';
      } catch (error) {
        if (error instanceof JwksUnavailable) return 'undecided';
        throw error;
      }
    },
  };
};

it.each(scenarios)('allows and denies the right callers with $name', async ({ steps }) => {
  const { decide, passSeconds } = startAuthorizer();
  for (const [index, { publishes, afterSeconds = 0, token: changes, outcome }] of steps.entries()) {
    if (publishes !== undefined) issuer.publish(publishes === 'down' ? undefined : publishes);
    passSeconds(afterSeconds);
    expect([index, await decide(`Bearer ${token(changes)}`)]).toEqual([index, outcome]);
  }
});

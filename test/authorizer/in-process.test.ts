import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import { cachedJwks, fetchJwks, JwksUnavailable } from '../../functions/authorizer/jwks.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import { issuerOf } from '../support/issuer.ts';
import { recordingLog } from '../support/recording-log.ts';
import { ecKey } from '../support/tokens.ts';
import { type IssuerServer, startIssuer } from './issuer-server.ts';
import { oidcScenario, type Outcome, type Scenario, scenarios } from './scenarios.ts';

const name = 'https://login.example.com/';
const audience = 'plant-store';

let issuer: IssuerServer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

/** Goes through a scenario with an authorizer that has no key set yet, and expects each outcome. */
const expectOutcomes = async ({ steps }: Scenario, environment: Environment = {}): Promise<void> => {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const log = recordingLog();
  const dependencies = {
    policy: tokenPolicyFrom({
      TOKEN_PROFILE: 'rfc9068',
      TOKEN_ISSUER: name,
      AUDIENCE: audience,
      TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
      GROUPS_CLAIM: 'groups',
      ...environment,
    }),
    callerIdSalt: 'salt',
    jwks: cachedJwks({ algorithms, fetchJwks: () => fetchJwks(issuer.jwksUri), now, log }),
    now,
    log,
  };
  const decide = async (authorization: string): Promise<Outcome> => {
    try {
      const { isAuthorized } = await authorize(dependencies, { identitySource: [authorization] });
      return isAuthorized ? 'allowed' : 'denied';
    } catch (error) {
      if (error instanceof JwksUnavailable) return 'undecided';
      throw error;
    }
  };

  const tokens = issuerOf(ecKey('unused'), name, audience);
  for (const [index, { publishes, afterSeconds = 0, token, outcome }] of steps.entries()) {
    if (publishes !== undefined) issuer.publish(publishes === 'down' ? undefined : publishes);
    ahead += afterSeconds * 1000;
    const header = `Bearer ${tokens.token(token(Math.floor(Date.now() / 1000)))}`;
    expect([index, await decide(header)]).toEqual([index, outcome]);
  }
};

describe('the authorizer in process allows and denies the right callers, given', () => {
  it.each(scenarios)('$name', async (scenario) => {
    await expectOutcomes(scenario);
  });

  it(oidcScenario.name, async () => {
    await expectOutcomes(oidcScenario, { TOKEN_PROFILE: 'oidc', REQUIRED_SCOPE: 'plants:read' });
  });
});

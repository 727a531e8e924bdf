import { afterAll, beforeAll, describe, it } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import { cachedJwks, fetchJwks, JwksUnavailable } from '../../functions/authorizer/jwks.ts';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import { recordingLog } from '../support/recording-log.ts';
import { type IssuerServer, startIssuer } from './issuer-server.ts';
import { oidcScenario, scenarios } from './scenarios.ts';
import { expectOutcomes, type Target } from './target.ts';

const name = 'https://login.example.com/';
const audience = 'plant-store';

let issuer: IssuerServer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

const authorizer = (environment: Environment): Target => {
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
  return {
    name,
    audience,
    decide: async (authorization) => {
      try {
        const { isAuthorized } = await authorize(dependencies, { identitySource: [authorization] });
        return isAuthorized ? 'allowed' : 'denied';
      } catch (error) {
        if (error instanceof JwksUnavailable) return 'undecided';
        throw error;
      }
    },
    pass: (seconds) => {
      ahead += seconds * 1000;
      return Promise.resolve();
    },
  };
};

describe('the authorizer in process allows and denies the right callers, given', () => {
  it.each(scenarios)('$name', async (scenario) => {
    await expectOutcomes(scenario, issuer, authorizer({}));
  });

  it(oidcScenario.name, async () => {
    const stage = { TOKEN_PROFILE: 'oidc', REQUIRED_SCOPE: 'plants:read' };
    await expectOutcomes(oidcScenario, issuer, authorizer(stage));
  });
});

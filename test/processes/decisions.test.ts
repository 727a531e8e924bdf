import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startFunctions } from '../../local/lambda/functions.ts';
import { InvocationError } from '../../local/lambda/invocation.ts';
import { readStack } from '../../local/stack/read-stack.ts';
import { type Stack, settingOf } from '../../local/stack/read-stack.ts';
import { send } from '../contract/client.ts';
import { type IssuerServer, startIssuer } from '../decisions/issuer-server.ts';
import {
  oidcScenario,
  type Outcome,
  type Scenario,
  scenarios,
  type Step,
  untilRefresh,
} from '../decisions/scenarios.ts';
import { expectOutcomes, type Target } from '../decisions/target.ts';
import { credentials } from '../support/dynamodb-table.ts';
import { copyProject, type LocalService, type ProjectCopy, startService } from '../support/local-service.ts';
import { ecKey } from '../support/tokens.ts';

const unknownKey = ecKey('unknown');
const pass = (seconds: number): Promise<void> => delay(seconds * 1000);

/** The service under `npm start`, with an issuer of the test. */
interface Started {
  readonly service: LocalService;
  readonly issuer: IssuerServer;
  readonly stack: Stack;
  readonly stop: () => Promise<void>;
}

const start = async (change: (project: ProjectCopy) => void): Promise<Started> => {
  const project = copyProject();
  const issuer = await startIssuer();
  project.edit('local/main.ts', 'JWKS_URI: `${issuer}${jwksPath}`', `JWKS_URI: '${issuer.jwksUri}'`);
  change(project);
  const service = await startService(project);
  return {
    service,
    issuer,
    stack: readStack(join(project.folder, 'cdk.out'), 'PlantStore-local'),
    stop: async () => {
      await service.stop();
      await issuer.stop();
      project.remove();
    },
  };
};

const outcomes: ReadonlyMap<number, Outcome> = new Map([
  [200, 'allowed'],
  [403, 'denied'],
  [500, 'undecided'],
]);

const targetOf = ({ baseUrl, issuer: name, audience }: LocalService): Target => ({
  name,
  audience,
  decide: async (authorization) => {
    const { status } = await send(baseUrl, '/plants', { authorization });
    const outcome = outcomes.get(status);
    if (outcome === undefined) throw new Error(`The response has status ${String(status)}.`);
    return outcome;
  },
  pass,
});

const decisionSchema = z.object({ isAuthorized: z.boolean() });

/** Goes through a scenario with an authorizer and an issuer of its own. */
const expectBundleOutcomes = async (scenario: Scenario, stack: Stack): Promise<void> => {
  const issuer = await startIssuer();
  const authorizerId = stack.api.routes[0]?.authorizer?.functionId ?? '';
  const { invoke, retire } = startFunctions(stack.functions, {
    credentials,
    overrides: { JWKS_URI: issuer.jwksUri },
    onLog: () => undefined,
  });
  const decide = async (authorization: string): Promise<Outcome> => {
    try {
      const { isAuthorized } = decisionSchema.parse(
        await invoke(authorizerId, { identitySource: [authorization] }),
      );
      return isAuthorized ? 'allowed' : 'denied';
    } catch (error) {
      if (error instanceof InvocationError && error.message === 'JwksUnavailable') return 'undecided';
      throw error;
    }
  };
  try {
    const name = settingOf(stack, 'TOKEN_ISSUER');
    await expectOutcomes(scenario, issuer, { name, audience: settingOf(stack, 'AUDIENCE'), decide, pass });
  } finally {
    retire();
    await issuer.stop();
  }
};

describe('allows and denies the right callers:', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start(() => undefined);
  });
  afterAll(() => started.stop());

  it.concurrent.each(scenarios)('the bundle and $name', async (scenario) => {
    await expectBundleOutcomes(scenario, started.stack);
  });

  it.each(scenarios)('npm start and $name', async ({ name, steps }) => {
    // Its authorizer has met the scenarios before: an unknown key makes it forget them.
    const forget: Step = {
      afterSeconds: untilRefresh,
      token: () => ({ key: unknownKey }),
      outcome: 'denied',
    };
    const [{ publishes } = forget] = steps;
    await expectOutcomes(
      { name, steps: [{ ...forget, ...(publishes !== undefined && { publishes }) }, ...steps] },
      started.issuer,
      targetOf(started.service),
    );
  });
});

describe('in a stage that requires a scope, allows and denies the right callers:', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start((project) => {
      const settings = "profile: 'oidc', requiredScope: 'plants:read'";
      project.edit(
        'infra/stages.ts',
        '...tokens, issuer: localIssuer',
        `...tokens, ${settings}, issuer: localIssuer`,
      );
    });
  });
  afterAll(() => started.stop());

  it(`the bundle and ${oidcScenario.name}`, async () => {
    await expectBundleOutcomes(oidcScenario, started.stack);
  });

  it(`npm start and ${oidcScenario.name}`, async () => {
    await expectOutcomes(oidcScenario, started.issuer, targetOf(started.service));
  });
});

describe('a gateway that drops empty lists and writes numbers as text', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start((project) => {
      const passedOn = 'lambda: authorizerContext';
      const altered =
        "{ ...Object(authorizerContext), groups: '', expiresAt: `${Object(authorizerContext).expiresAt}` }";
      project.edit('local/gateway/event.ts', passedOn, `lambda: ${altered}`);
    });
  });
  afterAll(() => started.stop());

  it('does not turn callers away', async () => {
    const [scenario] = scenarios;
    expect(scenario).toBeDefined();
    if (scenario !== undefined) await expectOutcomes(scenario, started.issuer, targetOf(started.service));
  });
});

// The suite `deployed` proves: the real `cdk deploy` makes a stack that meets the contract, with IAM roles
// evaluated; a destroyed personal stage leaves nothing behind. It cannot show what only AWS does: its quotas,
// its eventually consistent reads, its latency.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { issuerServer, loadOrCreateKey } from '../../../local/issuer/issuer.ts';
import { describeContract } from '../../contract/contract.ts';
import { item, newCaller, plantsIn } from '../../contract/plants.ts';
import { apiGatewayResponses, type Target } from '../../contract/target.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { issuerOf } from '../../support/issuer.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { copyProject } from '../../support/service/local-service.ts';
import { operationIds } from '../../support/synthesized.ts';
import { localKeyFrom } from '../../support/tokens.ts';
import { bootstrap, type Deployer, rootKeys } from '../emulator.ts';
import { contentOf, namesOf } from './account.ts';

const project = copyProject();
let deployer: Deployer;
const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);

/** The stack as `cdk deploy` makes it, with an issuer on this machine. */
const start = async (): Promise<Target> => {
  const key = loadOrCreateKey(join(project.folder, 'issuer-key.json'));
  const issuer = issuerServer(key);
  const issuerUrl = await startServer(issuer);
  deployer = await bootstrap(endpoint, project, Number(new URL(issuerUrl).port));
  const { baseUrl, tableName, audience } = await deployer.deploy();
  const plants = dynamoDbTable(endpoint, tableName, rootKeys);
  return {
    baseUrl,
    gateway: apiGatewayResponses,
    callersAtOnce: 10,
    put: plants.put,
    remove: plants.remove,
    issuer: issuerOf(localKeyFrom(key), issuerUrl, audience),
    stop: async () => {
      plants.close();
      await stopServer(issuer);
      project.remove();
    },
  };
};

const describeMore = (target: () => Target): void => {
  it('reads no plants without the permission to query the table', async () => {
    const caller = newCaller(target());
    await target().put([item(caller.principal, 'Rose', '1')]);
    expect(plantsIn(await caller.get('/plants'))).toEqual([{ name: 'Rose' }]);
    const restorePolicy = project.edit(
      'infra/operation.ts',
      "actions = ['dynamodb:Query']",
      "actions = ['dynamodb:Scan']",
    );
    await deployer.deploy();
    expect(await caller.get('/plants')).toMatchObject({ status: 400, body: { error: 2000 } });
    restorePolicy();
  });

  it('uses the table that a stage names, as after a restore, and keeps the stage’s own table', async () => {
    const caller = newCaller(target());
    const undoStage = project.edit('infra/stages.ts', "name: 'local',", "name: 'local', data: 'protected',");
    const { tableName: own } = await deployer.deploy();
    await target().put([item(caller.principal, 'Rose of the own table', '1')]);
    const restored = dynamoDbTable(endpoint, 'Restored', rootKeys);
    await restored.create();
    await restored.put([item(caller.principal, 'Rose of the restored table', '1')]);
    const undoTable = project.edit(
      'infra/stages.ts',
      "data: 'protected',",
      "data: 'protected', tableName: 'Restored',",
    );
    expect((await deployer.deploy()).tableName).toBe('Restored');
    expect(plantsIn(await caller.get('/plants'))).toEqual([{ name: 'Rose of the restored table' }]);
    expect(await contentOf(endpoint)).toContain(own);
    restored.close();
    undoTable();
    undoStage();
  }, 600_000);

  it('runs personal stages side by side, and leaves nothing behind of one that is destroyed', async () => {
    // The emulator has no domain for user pools: use the local issuer. The table is in the emulator.
    project.edit('infra/stages.ts', "name: 'dev',", `name: 'dev', storeEndpoint: '${endpoint}',`);
    project.edit('infra/tokens.ts', 'tokens: {', 'tokens: stages[0].tokens, unused: {');
    project.edit('infra/tokens.ts', 'import', "import { stages } from './stages.ts';\nimport");
    const people = ['dev-anna', 'dev-pr-17'].map((stage) => ({ stage, stackName: `PlantStore-${stage}` }));
    const caller = newCaller(target());
    const urls = new Map<string, string>();
    for (const { stage, stackName } of people) {
      const { baseUrl, tableName } = await deployer.deploy(stackName);
      urls.set(stage, baseUrl);
      const plants = dynamoDbTable(endpoint, tableName, rootKeys);
      await plants.put([item(caller.principal, `Plant of ${stage}`, '1')]);
      plants.close();
    }
    const authorization = `Bearer ${target().issuer.token({ claims: { sub: caller.subject } })}`;
    const plantsOf = async (stage: string): Promise<unknown> =>
      (await fetch(`${urls.get(stage) ?? ''}/plants`, { headers: { authorization } })).json();
    for (const { stage } of people) expect(await plantsOf(stage)).toEqual([{ name: `Plant of ${stage}` }]);

    const [anna = [], other = []] = await Promise.all(
      people.map(({ stackName }) => namesOf(endpoint, stackName)),
    );
    const present = async (names: readonly string[]): Promise<readonly string[]> => {
      const content = await contentOf(endpoint);
      return names.filter((name) => content.includes(name));
    };
    // The stack, API, user pool, table, access log, and each function with its role and log.
    const count = 5 + 3 * (1 + operationIds.length);
    expect([anna.length, other.length]).toEqual([count, count]);
    expect(await present([...anna, ...other])).toEqual([...anna, ...other]);
    await deployer.destroy('dev-anna');
    expect(await present(anna)).toEqual([]);
    expect(await contentOf(endpoint)).not.toContain('PlantStore-dev-anna');
    expect(await present(other)).toEqual(other);
    expect(await plantsOf('dev-pr-17')).toEqual([{ name: 'Plant of dev-pr-17' }]);
  });
};

describeContract('the stack deployed to MiniStack', start, describeMore);

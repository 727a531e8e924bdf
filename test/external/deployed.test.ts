import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { issuerServer, loadOrCreateKey } from '../../local/issuer/issuer.ts';
import { listen } from '../../local/listen.ts';
import { describeContract } from '../contract/contract.ts';
import { item, newCaller, plantsIn } from '../contract/plants.ts';
import { apiGatewayResponses, type Target } from '../contract/target.ts';
import { dynamoDbTable } from '../support/dynamodb-table.ts';
import { issuerOf } from '../support/issuer.ts';
import { copyProject } from '../support/local-service.ts';
import { rsaKeyFrom } from '../support/tokens.ts';
import {
  authorizerCacheSeconds,
  bootstrap,
  breakFunction,
  type Deployer,
  everythingIn,
  resourcesOf,
  revokeGrants,
  rootKeys,
} from './emulator.ts';

const project = copyProject();
let deployer: Deployer;
const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);

/** The stack as `cdk deploy` makes it, with an issuer on this machine. */
const start = async (): Promise<Target> => {
  const key = await loadOrCreateKey(join(project.folder, 'issuer-key.json'));
  const issuer = issuerServer(key);
  const issuerPort = await listen(issuer, 0, 'ISSUER_PORT');
  deployer = await bootstrap(endpoint, project, issuerPort);
  const { baseUrl, tableName, audience } = await deployer.deploy();
  const plants = dynamoDbTable(endpoint, tableName, rootKeys);
  return {
    baseUrl,
    gateway: apiGatewayResponses,
    callersAtOnce: 10,
    put: plants.put,
    remove: plants.remove,
    issuer: issuerOf(rsaKeyFrom(key), `http://127.0.0.1:${String(issuerPort)}`, audience),
    stop: async () => {
      plants.close();
      issuer.closeAllConnections();
      await new Promise((resolve) => issuer.close(resolve));
      project.remove();
    },
  };
};

describeContract('the stack deployed to MiniStack', start, (target) => {
  it('caches an authorizer’s result for a minute', async () => {
    expect(await authorizerCacheSeconds(endpoint, target().baseUrl)).toBe(60);
  });

  it('keeps the old version when a deployment fails, and runs the new one after it was fixed', async () => {
    const caller = newCaller(target());
    const errorBody = async (): Promise<unknown> => (await caller.get('/plants?limit=x')).body;
    const before = await errorBody();
    project.edit('functions/list-plants/errors.ts', 'whole number', 'natural number');
    // The emulator refuses an alarm on a formula.
    const fix = project.edit('infra/stages.ts', "name: 'local',", "name: 'local',\n  alarmEmails: [],");
    await expect(deployer.deploy()).rejects.toThrow('metric math');
    expect(await errorBody()).toEqual(before);
    fix();
    await deployer.deploy();
    expect(JSON.stringify(await errorBody())).toContain('natural number');
  });

  it('runs a stage for each person side by side, and leaves nothing behind of one that is destroyed', async () => {
    project.edit('infra/stages.ts', "name: 'dev',", `name: 'dev',\n  storeEndpoint: '${endpoint}',`);
    for (const name of ['anna', 'pr-17'])
      await deployer.run('run', 'deploy', '--', `PlantStore-dev-${name}`, '--require-approval', 'never');
    const [anna, other] = await Promise.all(
      ['PlantStore-dev-anna', 'PlantStore-dev-pr-17'].map((stack) => resourcesOf(endpoint, stack)),
    );
    console.log(anna, await everythingIn(endpoint));
    await deployer.run('exec', '--', 'cdk', 'destroy', '--force', '--context', 'stage=dev-anna');
    console.log(other, await everythingIn(endpoint));
  });

  it('reads no plants without the permission to query the table', async () => {
    const caller = newCaller(target());
    await target().put([item(caller.principal, 'Rose', '1')]);
    expect(plantsIn(await caller.get('/plants'))).toEqual([{ name: 'Rose' }]);
    await revokeGrants(endpoint, 'ListPlants');
    expect(await caller.get('/plants')).toMatchObject({ status: 400, body: { error: 2000 } });
  });

  // docs/external-systems.md describes these differences. If the emulator changes to behave like AWS, update it.
  it('differs from AWS as described: a crash gives 502, with the error in the body', async () => {
    const headers = { authorization: `Bearer ${target().issuer.token()}` };
    await breakFunction(endpoint, 'ListPlants');
    const crash = await fetch(`${target().baseUrl}/plants`, { headers });
    expect([crash.status, await crash.text()]).toEqual([502, expect.stringContaining('TABLE_NAME')]);
  });
});

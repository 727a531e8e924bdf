// The suite `deployed` proves: the real `cdk deploy` makes a stack that meets the contract, with IAM roles
// evaluated. It cannot show what only AWS does: its quotas, its eventually consistent reads, its latency.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { issuerServer, readKey } from '../../local/issuer/issuer.ts';
import { describeContract } from '../contract/contract.ts';
import { item, newCaller, plantsIn } from '../contract/plants.ts';
import { apiGateway, type Target } from '../contract/target.ts';
import { dynamoDbTable } from '../support/table/dynamodb-table.ts';
import { issuerOf } from '../support/issuer.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { copyProject } from '../support/service/local-service.ts';
import { localKeyFrom } from '../support/tokens.ts';
import { callIam, deployStack, rootKeys } from './emulator.ts';

const project = copyProject();
const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);

/** The stack as `cdk deploy` makes it, with an issuer on this machine. */
const start = async (): Promise<Target> => {
  const key = readKey(join(project.folder, 'issuer-key.json'));
  const issuer = issuerServer(key);
  const issuerUrl = await startServer(issuer);
  const { port } = new URL(issuerUrl);
  const { baseUrl, tableName, audience } = await deployStack(endpoint, project, Number(port));
  const plants = dynamoDbTable(endpoint, tableName, rootKeys);
  return {
    baseUrl,
    gateway: apiGateway,
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
  it('reads no plants without the policy of its role', async () => {
    const caller = newCaller(target());
    await target().put([item(caller.principal, 'Rose', '1')]);
    expect(plantsIn(await caller.get('/plants'))).toEqual([{ name: 'Rose' }]);
    const [RoleName = ''] =
      /PlantStore-local-ListPlants[^<]*/.exec(await callIam(endpoint, { Action: 'ListRoles' })) ?? [];
    const policies = await callIam(endpoint, { Action: 'ListRolePolicies', RoleName });
    const [PolicyName = ''] = /(?<=<member>)[^<]*/.exec(policies) ?? [];
    await callIam(endpoint, { Action: 'DeleteRolePolicy', RoleName, PolicyName });
    expect(await caller.get('/plants')).toMatchObject({ status: 400, body: { error: 2000 } });
  });
};

describeContract('the stack deployed to MiniStack', start, describeMore);

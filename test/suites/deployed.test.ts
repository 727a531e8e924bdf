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
import { bootstrap, type DeployedStack, rootKeys } from './emulator.ts';

const project = copyProject();
let deploy: () => Promise<DeployedStack>;
const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);

/** The stack as `cdk deploy` makes it, with an issuer on this machine. */
const start = async (): Promise<Target> => {
  const key = readKey(join(project.folder, 'issuer-key.json'));
  const issuer = issuerServer(key);
  const issuerUrl = await startServer(issuer);
  deploy = await bootstrap(endpoint, project, Number(new URL(issuerUrl).port));
  const { baseUrl, tableName, audience } = await deploy();
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
  it('reads no plants without the permission to query the table', async () => {
    const caller = newCaller(target());
    await target().put([item(caller.principal, 'Rose', '1')]);
    expect(plantsIn(await caller.get('/plants'))).toEqual([{ name: 'Rose' }]);
    const restorePolicy = project.edit(
      'infra/operation.ts',
      "actions = ['dynamodb:Query']",
      "actions = ['dynamodb:Scan']",
    );
    await deploy();
    expect(await caller.get('/plants')).toMatchObject({ status: 400, body: { error: 2000 } });
    restorePolicy();
  });
};

describeContract('the stack deployed to MiniStack', start, describeMore);

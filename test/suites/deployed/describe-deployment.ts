import { fileURLToPath } from 'node:url';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DeleteRolePolicyCommand, IAMClient, ListRolePoliciesCommand } from '@aws-sdk/client-iam';
import { describe, expect, it } from 'vitest';
import { describeContract } from '../../contract/contract.ts';
import type { OperationDefinition } from '../../../infra/operation-definition.ts';
import { operations } from '../../../infra/operations.ts';
import { exchange } from '../../../smoke/client.ts';
import { newCaller, newName } from '../../contract/plants.ts';
import type { Target } from '../../contract/target.ts';
import { runCommand } from '../../support/service/command.ts';
import { requestOf, responseOf } from '../../support/operation-request.ts';
import { item } from '../../support/table/plants.ts';
import type { Account } from './account.ts';
import { stacksOf } from './deployment-settings.ts';
import { type DeployedStage, targetOf } from './deployment.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Tests a deployed stage: contract, smoke test, throttle and request ids of the gateway, and rights of the
 * roles.
 */
export const describeDeployment = (account: Account, deploy: () => Promise<DeployedStage>): void => {
  const { emulator } = account;
  let stage = '';
  const start = async (): Promise<Target> => {
    const deployed = await deploy();
    ({ stage } = deployed);
    return targetOf(account, deployed);
  };
  describeContract(emulator === undefined ? 'AWS' : 'an emulator', start, (target) => {
    it('passes the smoke test', async () => {
      const sub = newName('smoke');
      await target().put(['Fern', 'Rose'].map((name) => item(`user#${sub}`, name)));
      const { code, output } = await runCommand('bin/run', checkout, ['node', 'smoke/main.ts'], {
        BASE_URL: target().baseUrl,
        TOKEN: target().issuer.token({ claims: { sub } }),
      }).ended;
      expect(output).toMatch(/passes all checks/);
      expect(code).toBe(0);
    });

    describeGateway(emulator, target);

    it.each(operations)(
      '$route responds with error 2000 without the policy of its role',
      async (operation) => {
        const { method, target: path, headers, content } = requestOf(operation);
        // Each request has a caller without plants.
        const request = () => newCaller(target()).send(method, path, headers, content);
        expect(await request()).toMatchObject(responseOf(operation));
        await deletePolicies(stacksOf(stage).service, operation);
        // On AWS, a change of a role takes effect within a minute.
        await expect
          .poll(request, { interval: 1000, timeout: 90_000 })
          .toMatchObject({ status: 400, body: { error: 2000 } });
      },
    );
  });
};

/** Tests the gateway itself. If the emulator differs from API Gateway, the test has another title for it. */
const describeGateway = (emulator: string | undefined, target: () => Target): void => {
  const onAws = emulator === undefined;

  describe('the gateway', () => {
    it(onAws ? 'throttles with 429' : 'does not throttle 20 requests on the emulator', async () => {
      const authorization = `Bearer ${target().issuer.token()}`;
      // The burst of a personal stage is 100 requests, and its rate 50 a second.
      const requests = Array.from({ length: onAws ? 600 : 20 }, () =>
        exchange(target().baseUrl, '/plants', { authorization }),
      );
      const responses = await Promise.all(requests);
      const throttled = responses.filter(({ status }) => status === 429);
      if (!onAws) expect(throttled).toEqual([]);
      else expect(throttled[0]?.body).toEqual({ message: 'Too Many Requests' });
    });

    it('sends the header apigw-requestid with a response', async () => {
      const { headers } = await exchange(target().baseUrl, '/plants');
      expect(headers['apigw-requestid']).toMatch(/./);
    });
  });
};

/** Deletes the policies of an operation's role, which allow the operation to use the table. */
const deletePolicies = async (StackName: string, { id }: OperationDefinition): Promise<void> => {
  const cloudFormation = new CloudFormationClient();
  const iam = new IAMClient();
  const { StackResources = [] } = await cloudFormation.send(new DescribeStackResourcesCommand({ StackName }));
  const RoleName = StackResources.find(
    ({ ResourceType, LogicalResourceId = '' }) =>
      ResourceType === 'AWS::IAM::Role' && LogicalResourceId.startsWith(`${id}Role`),
  )?.PhysicalResourceId;
  const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
  expect(PolicyNames).not.toEqual([]);
  for (const PolicyName of PolicyNames) await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
  cloudFormation.destroy();
  iam.destroy();
};

import { randomBytes } from 'node:crypto';
import { mkdtempDisposableSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { exchange } from '../../../smoke/client.ts';
import { apiGateway, type Target } from '../../contract/target.ts';
import { issuerOf } from '../../support/issuer.ts';
import { runCommand, signalGroup } from '../../support/service/command.ts';
import { tableOf } from '../../support/table/dynamodb-table.ts';
import { edKey, localKeyFrom } from '../../support/signing-keys.ts';
import type { Account } from './account.ts';
import { audience, type deploymentSettings, stacksOf } from './deployment-settings.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** A new random name of a personal stage. */
export const newStageName = (): string => `dev-contract-${randomBytes(3).toString('hex')}`;

type Deployment = z.input<typeof deploymentSettings>;
const outputsSchema = z.record(z.string(), z.object({ BaseUrl: z.url(), TableName: z.string().optional() }));

/** A stage that is deployed for tests, and the issuer that it trusts. */
const deployedSchema = z.object({
  stage: z.string(),
  baseUrl: z.string(),
  tableName: z.string(),
  issuer: z.string(),
  /** The issuer's private key. */
  key: z.looseObject({ kid: z.string() }),
});

export type DeployedStage = z.infer<typeof deployedSchema>;

/**
 * Deploys one stack: the issuer's or, if `deployment` names an issuer, the service's.
 * @returns the name of the table, and the base URL; on an emulator, the base URL is a path of the emulator
 */
const cdkDeploy = async (account: Account, stack: string, deployment: Deployment, signal: AbortSignal) => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-deployment-'));
  try {
    const outputsFile = join(folder, 'outputs.json');
    const parameters = [
      ...['run', 'deploy', '--', stack, '--app', 'bin/run node test/suites/deployed/app.ts'],
      ...['--output', join(folder, 'cdk.out'), '--outputs-file', outputsFile],
      ...['--require-approval', 'never', '--progress', 'events'],
    ];
    const command = runCommand('npm', checkout, parameters, {
      ...account.login,
      DEPLOYMENT: JSON.stringify(deployment),
      // CDK's default rules take half of a synthesis. The suite `processes` checks them.
      CDK_VALIDATION: 'false',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    });
    // An interrupted command must end, because CDK could create the stack after it was deleted.
    const stopCommand = () => {
      signalGroup(command, 'SIGTERM');
    };
    signal.addEventListener('abort', stopCommand);
    const { code, output } = await command.ended;
    signal.removeEventListener('abort', stopCommand);
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`npm run deploy failed for ${stack}:\n${output}`);
    const outputs = outputsSchema.parse(JSON.parse(readFileSync(outputsFile, 'utf8')))[stack];
    if (outputs === undefined) throw new Error(`CDK wrote no outputs of ${stack}.`);
    const [apiId = ''] = new URL(outputs.BaseUrl).host.split('.');
    const { emulator } = account;
    const baseUrl =
      emulator === undefined ? outputs.BaseUrl : `${emulator}/_aws/execute-api/${apiId}/$default`;
    return { baseUrl, tableName: outputs.TableName ?? '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** How the steps of a deployment are shown and stopped. */
interface Steps {
  readonly say: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Deploys an issuer, and then a stage that trusts it.
 * @throws {Error} when a stack cannot be deployed, or the signal aborts
 */
export const deployStage = async (
  account: Account,
  stage: string,
  { say, signal }: Steps,
): Promise<DeployedStage> => {
  const key = edKey('contract');
  const { issuer, service } = stacksOf(stage);
  // The folder is removed also if a deployment fails, because the suite `aws` has no temporary folder.
  using bundles = mkdtempDisposableSync(join(tmpdir(), 'plant-store-bundles-'));
  const deployment = {
    stage,
    jwks: JSON.stringify({ keys: [key.jwk] }),
    emulator: account.emulator,
    bundles: bundles.path,
  };
  say(`Deploying ${issuer}.`);
  const { baseUrl: issuerUrl } = await cdkDeploy(account, issuer, deployment, signal);
  say(`Deploying ${service}.`);
  const deployed = await cdkDeploy(account, service, { ...deployment, issuer: issuerUrl }, signal);
  await untilReachable(deployed.baseUrl, signal);
  say(`Testing ${deployed.baseUrl}.`);
  return { stage, ...deployed, issuer: issuerUrl, key: { ...key.privateJwk, kid: key.kid } };
};

/** Passes the deployed stage to the process of the tests. */
export const passStage = (deployed: DeployedStage): Readonly<Record<string, string>> => ({
  DEPLOYED_STAGE: JSON.stringify(deployed),
});

/** The deployed stage that this process got from `passStage`. */
export const passedStage = (): DeployedStage =>
  deployedSchema.parse(JSON.parse(process.env['DEPLOYED_STAGE'] ?? '{}'));

/** A deployed stage as a target of the contract. */
export const targetOf = (account: Account, deployed: DeployedStage): Target => {
  const { baseUrl, tableName, issuer, key } = deployed;
  const table = tableOf(new DynamoDBClient({ maxAttempts: 10 }), tableName);
  /** Waits for a write and, on AWS, until reads return what was written. */
  const readableAfter = async (write: Promise<void>): Promise<void> => {
    await write;
    // The list reads with eventual consistency.
    if (account.emulator === undefined) await delay(2000);
  };
  return {
    baseUrl,
    // The emulator replaces bytes that are not UTF-8 by U+FFFD.
    gateway: { ...apiGateway, passesBytes: account.emulator === undefined },
    put: (items) => readableAfter(table.put(items)),
    remove: (keys) => readableAfter(table.remove(keys)),
    issuer: issuerOf(localKeyFrom(key), issuer, audience),
    stop: () => {
      table.close();
      return Promise.resolve();
    },
  };
};

/** Waits until the name of a new API can be resolved, and the API responds with 401 without a token. */
const untilReachable = async (baseUrl: string, signal: AbortSignal): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const status = await exchange(baseUrl, '/plants').then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 401) return;
    if (attempt === 30) {
      const reason = status === undefined ? '' : ` with 401; the last status was ${String(status)}`;
      throw new Error(`${baseUrl}/plants did not respond${reason}.`);
    }
    await delay(2000, undefined, { signal });
  }
};

/** The stacks of a stage that exist. */
export const existingStacks = async (stage: string): Promise<readonly string[]> => {
  const client = new CloudFormationClient();
  const { issuer, service } = stacksOf(stage);
  const existing: string[] = [];
  for (const StackName of [service, issuer]) {
    try {
      await client.send(new DescribeStacksCommand({ StackName }));
      existing.push(StackName);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('does not exist')) throw error;
    }
  }
  client.destroy();
  return existing;
};

/**
 * Deletes the stacks of a stage, with all their data.
 * @throws {Error} when a stack cannot be deleted
 */
export const deleteStage = async (stage: string, say: (message: string) => void): Promise<void> => {
  const client = new CloudFormationClient();
  for (const StackName of await existingStacks(stage)) {
    say(`Deleting ${StackName}.`);
    await client.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete({ client, maxWaitTime: 900 }, { StackName });
  }
  client.destroy();
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { region } from '../support/table/dynamodb-table.ts';
import { runCommand, type ProjectCopy } from '../support/service/local-service.ts';
import { runTool } from './tool.ts';

/** The emulator accepts these as the keys of the account's root user. */
export const rootKeys = { accessKeyId: 'test', secretAccessKey: 'test' };
const account = '000000000000';

/** A stack deployed to the emulator. */
interface DeployedStack {
  /** The URL of its API. */
  readonly baseUrl: string;
  readonly tableName: string;
  /** The audience that its authorizer requires. */
  readonly audience: string;
}

/**
 * Sends a signed request to one of the emulated services.
 * @param options of curl
 * @throws {Error} unless the response is a success
 */
export const callEmulator = async (
  service: string,
  url: string,
  ...options: readonly string[]
): Promise<string> => {
  const { accessKeyId, secretAccessKey } = rootKeys;
  const signed = [
    '--aws-sigv4',
    `aws:amz:${region}:${service}`,
    '--user',
    `${accessKeyId}:${secretAccessKey}`,
  ];
  const parameters = ['--silent', '--show-error', '--fail-with-body', ...signed, ...options, url];
  const { succeeded, stdout, output } = await runTool('curl', parameters);
  if (!succeeded) throw new Error(`${service} refused a request: ${output}`);
  return stdout;
};

/** Calls an action of the emulated IAM. */
export const callIam = (endpoint: string, parameters: Readonly<Record<string, string>>): Promise<string> =>
  callEmulator('iam', endpoint, '--data', new URLSearchParams(parameters).toString());

/** Bootstraps the emulated account, and deploys PlantStore-local of a project by the documented command. */
export const deployStack = async (
  endpoint: string,
  project: ProjectCopy,
  issuerPort: number,
): Promise<DeployedStack> => {
  const run = async (...parameters: readonly string[]): Promise<void> => {
    const { code, output } = await runCommand('npm', project.folder, parameters, {
      // With an IP address CDK uses S3's path-style URLs, which need no DNS.
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: rootKeys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: rootKeys.secretAccessKey,
      AWS_REGION: region,
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      // The suite processes checks CDK's default rules, which take half of a synthesis.
      CDK_VALIDATION: 'false',
      // The ports in the addresses of PlantStore-local's template.
      STORE_PORT: new URL(endpoint).port,
      ISSUER_PORT: String(issuerPort),
    }).ended;
    if (code !== 0) throw new Error(`npm ${parameters.join(' ')} failed:\n${output}`);
  };
  await run('exec', '--', 'cdk', 'bootstrap', `aws://${account}/${region}`);
  // The bucket's policy denies plain HTTP, and the emulator has no TLS on loopback.
  const bucket = `cdk-hnb659fds-assets-${account}-${region}`;
  await callEmulator('s3', `${endpoint}/${bucket}?policy`, '--request', 'DELETE');

  const stackName = 'PlantStore-local';
  const unattended = ['--require-approval', 'never', '--outputs-file', 'outputs.json'];
  await run('run', 'deploy', '--', stackName, ...unattended);
  const outputs = z
    .record(z.string(), z.object({ BaseUrl: z.url(), TableName: z.string() }))
    .parse(JSON.parse(readFileSync(join(project.folder, 'outputs.json'), 'utf8')))[stackName];
  if (outputs === undefined) throw new Error(`CDK wrote no outputs of ${stackName}.`);
  const template = readFileSync(join(project.folder, `cdk.out/${stackName}.template.json`), 'utf8');
  const [apiId = ''] = new URL(outputs.BaseUrl).host.split('.');
  return {
    baseUrl: `${endpoint}/_aws/execute-api/${apiId}/$default`,
    tableName: outputs.TableName,
    audience: /"AUDIENCE": "([^"]+)"/.exec(template)?.[1] ?? '',
  };
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { z } from 'zod';
import type { StoreCredentials } from '../../local/service-file.ts';
import { region } from '../support/table/dynamodb-table.ts';
import { npm, type ProjectCopy } from '../support/service/local-service.ts';

/** The emulator accepts these as the keys of the account's root user. */
export const rootKeys: StoreCredentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const account = '000000000000';

/** A stack deployed to the emulator. */
export interface DeployedStack {
  /** The URL of its API. */
  readonly baseUrl: string;
  readonly tableName: string;
  /** The audience that its authorizer requires. */
  readonly audience: string;
}

/**
 * Sends a signed request to one of the emulated services.
 * @throws {Error} unless the response is a success
 */
export const callEmulator = async (
  endpoint: string,
  request: {
    readonly service: string;
    readonly method: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<string> => {
  const { service, method, path = '/', headers, body = null } = request;
  const url = new URL(path, endpoint);
  const signer = new SignatureV4({ service, region, credentials: rootKeys, sha256: Sha256 });
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, ...headers },
    body,
  });
  const response = await fetch(url, { method, headers: signed.headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.service} responded with ${String(response.status)}: ${text}`);
  return text;
};

/** Sends a request to a service that uses the AWS JSON protocol; `target` is its `X-Amz-Target`. */
export const sendJson = (
  endpoint: string,
  service: string,
  target: string,
  parameters: object = {},
): Promise<string> =>
  callEmulator(endpoint, {
    service,
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    body: JSON.stringify(parameters),
  });

/** The documented commands in a copy of the project. Each rejects with the output of a command that fails. */
export interface Deployer {
  /** Deploys a stack from the current source of the copy. */
  readonly deploy: (stackName?: string) => Promise<DeployedStack>;
  /** Destroys the stack of a stage. */
  readonly destroy: (stage: string) => Promise<void>;
}

/** Bootstraps the emulated account. */
export const bootstrap = async (
  endpoint: string,
  project: ProjectCopy,
  issuerPort: number,
): Promise<Deployer> => {
  const run = async (...parameters: readonly string[]): Promise<void> => {
    const { code, output } = await npm(project.folder, parameters, {
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
  await callEmulator(endpoint, { service: 's3', method: 'DELETE', path: `/${bucket}?policy` });

  const deploy = async (stackName = 'PlantStore-local'): Promise<DeployedStack> => {
    const unattended = ['--require-approval', 'never', '--outputs-file', 'outputs.json'];
    // A personal stage has no record.
    const stage = stackName.startsWith('PlantStore-dev-')
      ? ['--context', `stage=${stackName.replace('PlantStore-', '')}`]
      : [stackName];
    await run('run', 'deploy', '--', ...stage, ...unattended);
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
  const destroy = (stage: string): Promise<void> =>
    run('exec', '--', 'cdk', 'destroy', '--force', '--context', `stage=${stage}`);
  return { deploy, destroy };
};

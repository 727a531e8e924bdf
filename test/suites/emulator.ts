import { region } from '../support/table/dynamodb-table.ts';
import { runTool } from './run-tool.ts';

/** The keys of the account's root user on the emulator. */
export const rootKeys = { accessKeyId: 'test', secretAccessKey: 'test' };

/**
 * Sends a signed request to one of the emulated services.
 * @param options options of curl
 * @throws {Error} unless the status of the response is below 400
 */
export const callEmulator = async (
  service: string,
  url: string,
  ...options: readonly string[]
): Promise<string> => {
  const { accessKeyId, secretAccessKey } = rootKeys;
  const signature = [
    '--aws-sigv4',
    `aws:amz:${region}:${service}`,
    '--user',
    `${accessKeyId}:${secretAccessKey}`,
  ];
  const parameters = ['--silent', '--show-error', '--fail-with-body', ...signature, ...options, url];
  const { succeeded, stdout, output } = await runTool('curl', parameters);
  if (!succeeded) throw new Error(`${service} refused a request: ${output}`);
  return stdout;
};

/** Calls an action of the emulated IAM; `parameters` name the action. */
export const callIam = (endpoint: string, parameters: Readonly<Record<string, string>>): Promise<string> =>
  callEmulator('iam', endpoint, '--data', new URLSearchParams(parameters).toString());

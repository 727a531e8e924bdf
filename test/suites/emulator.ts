import { region } from '../support/table/dynamodb-table.ts';
import { runTool } from './run-tool.ts';

/** The emulator accepts these as the keys of the account's root user. */
export const rootKeys = { accessKeyId: 'test', secretAccessKey: 'test' };

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

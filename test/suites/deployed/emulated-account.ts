import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runCommand } from '../../support/service/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { callEmulator, rootKeys } from '../emulator.ts';
import { region } from '../../support/table/dynamodb-table.ts';
import { type Account, logIn } from './account.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Bootstraps the account of the suite's emulator, and logs this process in to the account. */
export const bootstrapEmulator = async (): Promise<Account> => {
  const emulator = z.url().parse(process.env['MINISTACK_ENDPOINT']);
  const id = '000000000000';
  const login = {
    // The URL has an IP address, so CDK uses path-style URLs of S3, which need no DNS.
    AWS_ENDPOINT_URL: emulator,
    AWS_ACCESS_KEY_ID: rootKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: rootKeys.secretAccessKey,
    AWS_REGION: region,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const bootstrap = ['cdk', 'bootstrap', `aws://${id}/${region}`, '--no-notices'];
  // The command runs outside the checkout, because there CDK would read cdk.json and run the app.
  const folder = temporaryFolder();
  const environment = { ...login, CDK_DISABLE_CLI_TELEMETRY: 'true' };
  const { code, output } = await runCommand(`${checkout}bin/run`, folder, bootstrap, environment).ended;
  if (code !== 0) throw new Error(`cdk bootstrap failed:\n${output}`);
  // The bucket's policy denies plain HTTP, and the emulator has no TLS on loopback.
  const bucket = `cdk-hnb659fds-assets-${id}-${region}`;
  await callEmulator('s3', `${emulator}/${bucket}?policy`, '--request', 'DELETE');
  const account = { id, region, emulator, login };
  logIn(account);
  return account;
};

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { z } from 'zod';
import { UserError } from '../../../terminal/user-error.ts';

/** The account to which a suite deploys: an account of AWS, or the account of an emulator. */
export interface Account {
  readonly id: string;
  readonly region: string;
  /** The URL of the emulator; undefined for AWS. */
  readonly emulator?: string | undefined;
  /** The environment variables that begin with `AWS_`, with which the AWS SDK and `cdk` log in. */
  readonly login: Readonly<Record<string, string>>;
}

/**
 * Finds out which account the login of this process is for.
 * @throws {UserError} without a login or a Region, or when the account is not bootstrapped
 */
export const accountOfLogin = async (): Promise<Account> => {
  const login = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('AWS_') && value !== undefined ? [[name, value] as const] : [],
    ),
  );
  const client = new CloudFormationClient();
  try {
    const region = await client.config.region();
    // CDKToolkit is the stack of `cdk bootstrap`. Its id contains the account's id.
    const { Stacks: [stack] = [] } = await client.send(
      new DescribeStacksCommand({ StackName: 'CDKToolkit' }),
    );
    const [, id = ''] = /^arn:[\w-]+:cloudformation:[\w-]+:(\d{12}):/.exec(stack?.StackId ?? '') ?? [];
    return { id, region, login, emulator: login['AWS_ENDPOINT_URL'] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      reason.includes('does not exist')
        ? 'This account has no CDK in this Region: run npx cdk bootstrap --context stage=dev first.'
        : `AWS cannot be used (${reason}). Log in and set AWS_REGION; then run the same command again.`,
    );
  } finally {
    client.destroy();
  }
};

const accountSchema = z.object({
  id: z.string(),
  region: z.string(),
  emulator: z.string().optional(),
  login: z.record(z.string(), z.string()),
});

/**
 * Passes the account to the process of the tests, because that process ignores the machine's AWS settings.
 */
export const passAccount = (account: Account): Readonly<Record<string, string>> => ({
  DEPLOYMENT_ACCOUNT: JSON.stringify(account),
});

/** Logs this process in to the account that it got from `passAccount`. @returns the account */
export const passedAccount = (): Account => {
  const account = accountSchema.parse(JSON.parse(process.env['DEPLOYMENT_ACCOUNT'] ?? '{}'));
  logIn(account);
  return account;
};

/** Lets clients of the AWS SDK in this process use the account's login. */
export const logIn = ({ login }: Account): void => {
  // The tests' environment points these variables at empty files, and the login needs the files of the
  // machine.
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'])
    Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, login);
};

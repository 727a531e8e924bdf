import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { z } from 'zod';
import { UserError } from '../../../terminal/user-error.ts';

/** Where a suite deploys: an account of AWS, or an emulator. */
export interface Account {
  readonly id: string;
  readonly region: string;
  /** The emulator's URL; undefined: AWS. */
  readonly emulator?: string | undefined;
  /** The variables with which the AWS SDK and `cdk` log in: those that begin with `AWS_`. */
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
    // The stack of `cdk bootstrap`. Its id names the account.
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

/** Variables for the process of the tests, which removes the machine's own AWS settings. */
export const passAccount = (account: Account): Readonly<Record<string, string>> => ({
  DEPLOYMENT_ACCOUNT: JSON.stringify(account),
});

/** The account that this process got from `passAccount`. Logs the process in. */
export const passedAccount = (): Account => {
  const account = accountSchema.parse(JSON.parse(process.env['DEPLOYMENT_ACCOUNT'] ?? '{}'));
  logIn(account);
  return account;
};

/** Lets clients of the AWS SDK in this process use the account's login. */
export const logIn = ({ login }: Account): void => {
  // Variables of the tests name empty files in place of the machine's.
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'])
    Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, login);
};

import { createInterface } from 'node:readline/promises';
import { UserError } from '../../../terminal/user-error.ts';
import { type Account, accountOfLogin, passAccount } from './account.ts';
import { stacksOf } from './deployment-settings.ts';
import { deleteStage, deployStage, existingStacks, newStageName, passStage } from './deployment.ts';

/**
 * Runs tests of a stage that is deployed for them to the account of this machine's login: says what it makes,
 * asks, and afterwards deletes everything, also when the tests fail or are interrupted.
 * @param test runs the tests with these variables; resolves when they have ended, whatever their result
 * @param signal interrupts the deployment; `test` must end by itself
 * @throws {UserError} without a login or a yes, and when something is left
 */
export const testOnAws = async (
  test: (variables: Readonly<Record<string, string>>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const account = await accountOfLogin();
  const stage = newStageName();
  console.log(announcement(account, stage));
  if (!(await isConfirmed())) throw new UserError('Nothing was made.');
  // Only stacks that this run makes are deleted below.
  const others = await existingStacks(stage);
  if (others.length > 0) throw new UserError(`${others.join(' and ')} exists already. Run it again.`);
  try {
    const deployed = await deployStage(account, stage, { say: console.log, signal });
    await test({ ...passAccount(account), ...passStage(deployed) });
  } finally {
    await deleteEverything(stage);
  }
};

const announcement = ({ id, region, emulator }: Account, stage: string): string => {
  const { issuer, service } = stacksOf(stage);
  const where = emulator === undefined ? '' : ` (an emulator at ${emulator})`;
  return `This deploys two stacks to the account ${id}, ${region}${where}, tests them and deletes them:

  ${issuer}: an HTTP API with a function that publishes a key set
  ${service}: the service as a personal stage, with a table and logs

It takes about ten minutes and costs less than 10 US cents: thousands of requests and written items.
Ctrl-C stops the tests and deletes the stacks. Files of the deployment stay in the bucket of cdk bootstrap.
`;
};

const isConfirmed = async (): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Without an answer, as at the end of an empty input, nothing is made.
  const ended = new Promise<string>((resolve) => {
    terminal.once('close', () => {
      resolve('');
    });
  });
  const answer = await Promise.race([terminal.question('Continue? (yes or no) '), ended]);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
};

/** @throws {UserError} with the commands that delete what is left */
const deleteEverything = async (stage: string): Promise<void> => {
  await deleteStage(stage, console.log).catch(() => undefined);
  const left = await existingStacks(stage).catch(() => Object.values(stacksOf(stage)));
  const commands = left.map((stack) => `aws cloudformation delete-stack --stack-name ${stack}`);
  if (left.length > 0)
    throw new UserError(['These stacks may be left. Delete them:', ...commands].join('\n  '));
  console.log('Everything that was deployed is deleted.');
};

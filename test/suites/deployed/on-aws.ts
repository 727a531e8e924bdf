import { createInterface } from 'node:readline/promises';
import { UserError } from '../../../terminal/user-error.ts';
import { type Account, accountOfLogin, passAccount } from './account.ts';
import { stacksOf } from './deployment-settings.ts';
import { deleteStage, deployStage, existingStacks, newStageName, passStage } from './deployment.ts';

/**
 * Deploys a stage to the account of this machine's login, and runs tests of the stage. It says first what it
 * deploys, and asks. Afterwards it deletes everything, also if the tests fail or are interrupted.
 * @param test runs the tests with these environment variables, and resolves when the tests have ended
 * @param signal interrupts the deployment, and does not interrupt `test`
 * @throws {UserError} without a login, if the answer is not yes, or if stacks may be left
 */
export const testOnAws = async (
  test: (variables: Readonly<Record<string, string>>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const account = await accountOfLogin();
  const stage = newStageName();
  console.log(announcement(account, stage));
  if (!(await isConfirmed())) throw new UserError('Nothing was deployed.');
  // The stacks of other runs must not be deleted below.
  const existing = await existingStacks(stage);
  if (existing.length > 0)
    throw new UserError(
      `These stacks exist already: ${existing.join(', ')}. Run the command again; it takes a new name.`,
    );
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
  // The end of the input without an answer counts as no.
  const ended = new Promise<string>((resolve) => {
    terminal.once('close', () => {
      resolve('');
    });
  });
  const answer = await Promise.race([terminal.question('Continue? (yes or no) '), ended]);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
};

/**
 * Deletes the stacks of a stage.
 * @throws {UserError} if stacks may be left; its message has the commands that delete them
 */
const deleteEverything = async (stage: string): Promise<void> => {
  await deleteStage(stage, console.log).catch(() => undefined);
  const remaining = await existingStacks(stage).catch(() => Object.values(stacksOf(stage)));
  const commands = remaining.map((stack) => `aws cloudformation delete-stack --stack-name ${stack}`);
  if (remaining.length > 0)
    throw new UserError(['These stacks may be left. Delete them:', ...commands].join('\n  '));
  console.log('Everything that was deployed is deleted.');
};

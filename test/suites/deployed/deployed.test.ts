// The suite `deployed` proves: the real `cdk deploy` creates a stack that meets the contract on an emulator,
// which evaluates the IAM roles. It has the same steps as the suite `aws`. It cannot show the throttle, the
// eventually consistent reads and the latency of AWS.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Command, runCommand, signalGroup } from '../../support/service/command.ts';
import { describeDeployment } from './describe-deployment.ts';
import { deleteStage, deployStage, existingStacks, newStageName } from './deployment.ts';
import { bootstrapEmulator } from './emulated-account.ts';

const account = await bootstrapEmulator();
const stage = newStageName();
const steps = { say: console.log, signal: AbortSignal.timeout(240_000) };

describeDeployment(account, () => deployStage(account, stage, steps));

afterAll(async () => {
  await deleteStage(stage, console.log);
  expect(await existingStacks(stage)).toEqual([]);
});

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts `npm run test:suites -- aws` with the emulator's login, and answers its question. */
const startSuiteAws = (answer: string, environment: Readonly<Record<string, string>> = {}): Command =>
  runCommand('sh', checkout, ['-c', `echo ${answer} | bin/run node test/suites/run.ts aws`], {
    ...account.login,
    ...environment,
  });

/** The stacks of the stage that a command announced and that still exist. */
const remainingStacks = async (output: string): Promise<readonly string[]> => {
  const [announcedStage = ''] = /dev-contract-\w+/.exec(output) ?? [];
  expect(announcedStage).not.toBe('');
  return existingStacks(announcedStage);
};

describe('npm run test:suites -- aws', () => {
  it('deploys nothing if the answer is no', async () => {
    const { code, output } = await startSuiteAws('no').ended;
    expect(output).toMatch(
      /two stacks to the account 000000000000.*less than 10 US cents.*Nothing was deployed/s,
    );
    expect(code).toBe(1);
    expect(await remainingStacks(output)).toEqual([]);
  });

  it('says to run cdk bootstrap in a Region without it', async () => {
    const { code, output } = await startSuiteAws('yes', { AWS_REGION: 'eu-west-1' }).ended;
    expect(output).toMatch(/no CDK in this Region: run npx cdk bootstrap/);
    expect(code).toBe(1);
  });

  it.each(['Deploying PlantStoreIssuer-', 'Deploying PlantStore-dev-', 'Testing http'])(
    'deletes its stacks after Ctrl-C at “%s”',
    async (step) => {
      const command = startSuiteAws('yes');
      await command.printed(step);
      signalGroup(command, 'SIGINT');
      const { code, output } = await command.ended;
      expect(output).toMatch(/Everything that was deployed is deleted/);
      expect(code).not.toBe(0);
      expect(await remainingStacks(output)).toEqual([]);
    },
  );

  it('deletes the issuer when the stage cannot be deployed', async () => {
    // A command in place of npm that fails for the stack of the service, and runs the real npm otherwise.
    const folder = mkdtempSync(join(tmpdir(), 'failing-npm-'));
    const failForService = 'case "$*" in *PlantStore-dev-*) echo refused; exit 3 ;; esac';
    const script = `#!/bin/sh\n${failForService}\nPATH=\${PATH#*:} exec npm "$@"\n`;
    writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
    const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
    const { code, output } = await startSuiteAws('yes', { PATH }).ended;
    expect(output).toMatch(/Deleting PlantStoreIssuer.*Everything that was deployed is deleted.*refused/s);
    expect(code).toBe(1);
    expect(await remainingStacks(output)).toEqual([]);
  });
});

// The suite `deployed` proves: the real `cdk deploy` makes a stack that meets the contract, with IAM roles
// evaluated. It takes the steps of the suite `aws` on an emulator, and cannot show what only AWS does: its
// throttle, its eventually consistent reads, its latency.
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

/** Answers the question of `npm run test:suites -- aws`, whose login is the emulator's. */
const startOnAws = (answer: string, environment: Readonly<Record<string, string>> = {}): Command =>
  runCommand('sh', checkout, ['-c', `echo ${answer} | bin/run node test/suites/run.ts aws`], {
    ...account.login,
    ...environment,
  });

/** The stacks that exist of those that an output names. */
const stacksLeft = async (output: string): Promise<readonly string[]> => {
  const [announced = ''] = /dev-contract-\w+/.exec(output) ?? [];
  expect(announced).not.toBe('');
  return existingStacks(announced);
};

describe('npm run test:suites -- aws', () => {
  it('makes nothing unless the answer is yes', async () => {
    const { code, output } = await startOnAws('no').ended;
    expect(output).toMatch(
      /two stacks to the account 000000000000.*less than 10 US cents.*Nothing was made/s,
    );
    expect(code).toBe(1);
    expect(await stacksLeft(output)).toEqual([]);
  });

  it('says what to do in a Region without bootstrap', async () => {
    const { code, output } = await startOnAws('yes', { AWS_REGION: 'eu-west-1' }).ended;
    expect(output).toMatch(/no CDK in this Region: run npx cdk bootstrap/);
    expect(code).toBe(1);
  });

  it.each(['Deploying PlantStoreIssuer-', 'Deploying PlantStore-dev-', 'Testing http'])(
    'deletes everything after Ctrl-C at “%s”',
    async (step) => {
      const command = startOnAws('yes');
      await command.printed(step);
      signalGroup(command, 'SIGINT');
      const { code, output } = await command.ended;
      expect(output).toMatch(/Everything that was deployed is deleted/);
      expect(code).not.toBe(0);
      expect(await stacksLeft(output)).toEqual([]);
    },
  );

  it('deletes the issuer when the stage cannot be deployed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'failing-npm-'));
    const refusing = 'case "$*" in *PlantStore-dev-*) echo refused; exit 3 ;; esac';
    const script = `#!/bin/sh\n${refusing}\nPATH=\${PATH#*:} exec npm "$@"\n`;
    writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
    const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
    const { code, output } = await startOnAws('yes', { PATH }).ended;
    expect(output).toMatch(/Deleting PlantStoreIssuer.*Everything that was deployed is deleted.*refused/s);
    expect(code).toBe(1);
    expect(await stacksLeft(output)).toEqual([]);
  });
});

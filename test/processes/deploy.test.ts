import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject, npm, type ProjectCopy } from '../support/local-service.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';

let project: ProjectCopy;
beforeAll(() => {
  project = copyProject();
});
afterAll(() => {
  project.remove();
});

describe('npm run deploy', () => {
  /** The lines that a deployment prints, without those of npm and that in which CDK says that the app failed. */
  const deploy = async (stack: string): Promise<readonly string[]> => {
    const { code, output } = await npm(project.folder, ['run', '-s', 'deploy', '--', stack], {
      AWS_ACCESS_KEY_ID: '',
      AWS_PROFILE: '',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    }).ended;
    expect(code).toBe(1);
    return output
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith('Subprocess exited with error 1'));
  };

  it('refuses a stage that does not exist', async () => {
    expect(await deploy('PlantStore-x')).toContain('No stacks match the name(s) PlantStore-x');
  });

  it('says in one line that it needs a login to AWS, before it bundles anything', async () => {
    expect(await deploy('PlantStore-dev')).toEqual([
      expect.stringMatching(/^PlantStore-dev needs a login to AWS\b.*log in\b.*\.$/),
    ]);
  });

  it('says in one line which names a personal stage may have', async () => {
    expect(await deploy('PlantStore-dev-UPPER_case')).toEqual([
      expect.stringMatching(/^PlantStore-dev-UPPER_case is not an allowed name: .*lower case letters.*\.$/),
    ]);
  });
});

describe('a login to an account', () => {
  /** What AWS is asked, by the name of the action. */
  const calls: string[] = [];
  /** An STS on this machine. */
  const sts = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push(new URLSearchParams(body).get('Action') ?? request.url ?? '');
      response.setHeader('content-type', 'text/xml');
      response.end(
        '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>222222222222</Account><Arn>arn:aws:iam::222222222222:user/a</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>',
      );
    });
  });
  let login: Readonly<Record<string, string>>;
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'plant-store-'));
    login = {
      AWS_ENDPOINT_URL: await startServer(sts),
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-central-1',
      // CDK keeps there which account a key belongs to.
      HOME: home,
      CDK_HOME: home,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    };
    project.edit('infra/stages.ts', "name: 'prod',", "name: 'prod',\n  account: '111111111111',");
  });
  afterAll(async () => {
    rmSync(home, { recursive: true });
    await stopServer(sts);
  });

  it.each([
    ['deploy', ['run', '-s', 'deploy', '--', 'PlantStore-prod', '--require-approval', 'never']],
    ['destroy', ['exec', '--', 'cdk', 'destroy', '--force', '--context', 'stage=prod']],
  ])('other than that of the stage’s record is refused in one sentence: %s', async (_, command) => {
    calls.length = 0;
    const { code, output } = await npm(project.folder, command, login).ended;
    expect(code).toBe(1);
    const [line] = output.split('\n').filter((each) => each !== '');
    expect(line).toBe(
      'PlantStore-prod belongs to account 111111111111 in eu-central-1 (infra/stages.ts), but this login is for account 222222222222 in eu-central-1.',
    );
    // CDK finds out whose login it is, once for a key.
    expect(calls.filter((action) => action !== 'GetCallerIdentity')).toEqual([]);
  });

  it('may synthesize all stages', async () => {
    const { code, output } = await npm(project.folder, ['run', 'synth'], login).ended;
    expect({ code, output }).toMatchObject({ code: 0 });
  });
});

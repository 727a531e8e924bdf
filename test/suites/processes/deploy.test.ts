import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject, npm, type ProjectCopy } from '../../support/service/local-service.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

let project: ProjectCopy;
beforeAll(() => {
  project = copyProject();
});
afterAll(() => {
  project.remove();
});

describe('npm run deploy', () => {
  /** The lines that a deployment prints, without those of npm and that in which CDK says that the app failed. */
  const deploy = async (...parameters: readonly string[]): Promise<readonly string[]> => {
    const { code, output } = await npm(project.folder, ['run', '-s', 'deploy', '--', ...parameters], {
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

  it.each([
    ['dev-UPPER_case', /^"dev-UPPER_case" is not an allowed name of a stage: .*lower case letters.*\.$/],
    ['x', /^There is no stage "x": .*dev-anna\.$/],
  ])('says in one line which stages there can be: %s', async (stage, line) => {
    expect(await deploy('--context', `stage=${stage}`)).toEqual([expect.stringMatching(line)]);
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

  it('other than that of the stage’s record is refused in one sentence, before anything is deployed', async () => {
    const { code, output } = await npm(
      project.folder,
      ['run', '-s', 'deploy', '--', 'PlantStore-prod', '--require-approval', 'never'],
      login,
    ).ended;
    expect(code).toBe(1);
    expect(output).toMatch(/^Could not assume role.*\b222222222222\b.*:111111111111:/m);
    // CDK finds out whose login it is, and asks for the role of the other account.
    expect(calls.filter((action) => !['GetCallerIdentity', 'AssumeRole'].includes(action))).toEqual([]);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownLines } from '../../support/lines.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { copyProject, npm } from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

const deploy = (parameters: readonly string[], environment: Readonly<Record<string, string>>) =>
  npm(project.folder, ['run', '-s', 'deploy', '--', ...parameters], environment).ended;

it('npm run deploy says in one line which stages there can be', async () => {
  const { code, output } = await deploy(['--context', 'stage=x'], {
    AWS_ACCESS_KEY_ID: '',
    AWS_PROFILE: '',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  });
  // CDK adds that the app failed.
  const lines = ownLines(output).filter((line) => !line.endsWith('Subprocess exited with error 1'));
  expect([code, lines]).toEqual([1, [expect.stringMatching(/^There is no stage "x": .*dev-anna\.$/)]]);
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
        '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>222222222222</Account>' +
          '<Arn>arn:aws:iam::222222222222:user/a</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>',
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

  it('other than that of the stage’s record is refused in one sentence, before any deployment', async () => {
    const { code, output } = await deploy(['PlantStore-prod', '--require-approval', 'never'], login);
    expect(code).toBe(1);
    expect(output).toMatch(/^Could not assume role.*\b222222222222\b.*:111111111111:/m);
    // CDK finds out whose login it is, and asks for the role of the other account.
    expect(calls.filter((action) => !['GetCallerIdentity', 'AssumeRole'].includes(action))).toEqual([]);
  });
});

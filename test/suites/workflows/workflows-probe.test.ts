import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Target } from '../../contract/target.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { npmStart } from '../../support/service/npm-start.ts';
import { copyCheckout, newFolder, npm, pathWith } from './runner.ts';
import { isMet, jobOf, runJob, workflowText } from './workflow.ts';

describe('the smoke test in the pipelines', () => {
  /** The issuer's response to a request for a token. */
  let tokenResponse: { readonly status: number; readonly body: object };
  const requests: unknown[] = [];
  const issuer = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push([request.method, request.headers.authorization, body]);
      response.writeHead(tokenResponse.status).end(JSON.stringify(tokenResponse.body));
    });
  });
  /** A request of a stage's client for a token. */
  const requestOf = (stage: string, body = 'grant_type=client_credentials'): unknown => {
    const credentials = Buffer.from(`client-of-${stage}:s3cret/+=`).toString('base64');
    return ['POST', `Basic ${credentials}`, body];
  };
  const folder = copyCheckout();
  let target: Target;
  let issuerUrl: string;
  beforeAll(async () => {
    target = await npmStart();
    issuerUrl = await startServer(issuer);
  });
  afterAll(async () => {
    await stopServer(issuer);
    await target.stop();
  });
  beforeEach(() => {
    requests.length = 0;
  });

  const settings = (name: string, staging: string, prod = staging): Readonly<Record<string, string>> => ({
    [`STAGING_${name}`]: staging,
    [`PROD_${name}`]: prod,
    // The name that stage.yml makes; GitHub ignores the case.
    [`prod_${name}`]: prod,
  });
  /** Runs the smoke tests of a job for these stages, and returns what they printed. */
  const run = async (
    workflow: 'probe' | 'stage',
    stages: readonly string[],
    vars = {},
  ): Promise<readonly [ok: boolean, output: string]> => {
    const contexts = {
      inputs: { stage: stages[0] },
      needs: { deploy: { outputs: { 'base-url': target.baseUrl } } },
      vars: {
        PROBED_STAGES: JSON.stringify(stages),
        ...settings('BASE_URL', target.baseUrl),
        ...settings('TOKEN_URL', `${issuerUrl}/oauth2/token`),
        ...settings('CLIENT_ID', 'client-of-staging', 'client-of-prod'),
        ...vars,
      },
      secrets: settings('CLIENT_SECRET', 's3cret/+='),
    };
    const [, ...tests] = await runJob(jobOf(workflow, 'smoke'), contexts, folder, {
      PATH: pathWith({ npm }),
    });
    return [tests.every(({ ok }) => ok), tests.map(({ output }) => output).join('')];
  };
  const tokenFor = (claims: Readonly<Record<string, unknown>>): string => target.issuer.token({ claims });

  it.each([
    ['after a deployment', 'stage', ['prod']],
    ['of the probe in each stage', 'probe', ['staging', 'prod']],
    ['of the probe in the only listed stage', 'probe', ['staging']],
  ] as const)(
    'passes %s with a token of the stage’s issuer, and does not print it',
    async (_, job, stages) => {
      const token = tokenFor({ sub: 'alice', groups: ['gardeners'] });
      tokenResponse = { status: 200, body: { access_token: token, token_type: 'Bearer' } };
      const [ok, output] = await run(job, stages);
      expect(ok, output).toBe(true);
      expect(output).not.toMatch(/FAILED|not checked: (?!compression)/);
      expect(output.match(/^passed /gm)).toHaveLength(10 * stages.length);
      expect(requests).toEqual(stages.map((stage) => requestOf(stage)));
      // The line with which GitHub masks it in all others.
      const lines = output.split('\n').filter((line) => line.includes(token));
      expect(lines).toEqual(stages.map(() => `::add-mask::${token}`));
    },
  );

  it.each([
    ['the issuer rejects the client', () => undefined, 401, /^curl: .*401/],
    ['the issuer’s response has no token', () => undefined, 200, /^$/],
    ['the client has too few plants', () => tokenFor({ sub: 'nobody' }), 200, /^::error::.*could not check/m],
    ['the service denies the token', () => tokenFor({ aud: 'another-api' }), 200, /200\b.*\b403/],
  ])('fails in each stage if %s', async (_, token, status, message) => {
    tokenResponse = { status, body: { access_token: token() } };
    const [ok, output] = await run('probe', ['staging', 'prod']);
    expect([ok, output]).toEqual([false, expect.stringMatching(message)]);
    expect(requests).toEqual([requestOf('staging'), requestOf('prod')]);
  });

  it('sends the stage’s token request', async () => {
    tokenResponse = { status: 401, body: {} };
    const request = 'grant_type=client_credentials&audience=plants';
    await run('probe', ['prod'], settings('TOKEN_REQUEST', request));
    expect(requests).toEqual([requestOf('prod', request)]);
  });

  it.each(['BASE_URL', 'TOKEN_URL'])('names the variable %s if it is not set', async (name) => {
    const [ok, output] = await run('probe', ['prod'], settings(name, ''));
    expect([ok, output]).toEqual([false, expect.stringMatching(new RegExp(`${name}: is not set\n$`))]);
  });
});

describe('probe.yml', () => {
  it('starts every 15 minutes', () => {
    expect(workflowText('probe')).toMatch(/- cron: '\d+-59\/15 \* \* \* \*'/);
  });

  it.each([
    ['smoke', 'no stage is listed', false, '', 'success'],
    ['smoke', 'the list is empty', false, '[]', 'success'],
    ['smoke', 'a stage is listed', true, '["prod"]', 'success'],
    ['report', 'the smoke test was skipped', false, '', 'skipped'],
    ['report', 'the smoke test passed', false, '["prod"]', 'success'],
    ['report', 'the smoke test failed', true, '["prod"]', 'failure'],
    ['report', 'the smoke test timed out', true, '["prod"]', 'cancelled'],
  ])('runs the job %s if %s: %s', (name, _, expected, PROBED_STAGES, result) => {
    const contexts = { vars: { PROBED_STAGES }, needs: { smoke: { result } } };
    expect(isMet(jobOf('probe', name).if, contexts, result === 'success')).toBe(expected);
  });

  it.each([
    [
      'opens an issue',
      '',
      /^issue create --label probe .*https:\/\/github\.com\/team\/plants\/actions\/runs\/7\b/,
    ],
    ['adds to the open issue', '12', /^issue comment 12 .*\/actions\/runs\/7$/],
  ])('%s, with a link to the run', async (_, openIssue, call) => {
    const folder = newFolder();
    const gh = `echo "$*" >>calls\n[[ "$*" != "issue list "*"--state open"* ]] || printf %s '${openIssue}'`;
    const github = { repository: 'team/plants', server_url: 'https://github.com', run_id: '7' };
    const results = await runJob(jobOf('probe', 'report'), { github }, folder, { PATH: pathWith({ gh }) });
    expect(results).toMatchObject([{ ok: true, output: '' }]);
    const calls = readFileSync(join(folder, 'calls'), 'utf8');
    expect(calls.match(/^issue (?:create|comment).*/gm)).toEqual([expect.stringMatching(call)]);
  });
});

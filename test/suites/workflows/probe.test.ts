import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { runTool } from '../tool.ts';
import { checkout, newFolder, pathWith, runnerEnvironment } from './runner.ts';
import { evaluate, isMet, jobOf, runCommand, workflowText } from './workflow.ts';

describe('smoke.sh', () => {
  const good: object = { access_token: 'a.b.c' };
  const requests: unknown[] = [];
  /** Runs the script with an issuer that responds so, and with a smoke test that prints this line. */
  const run = async ({ variables = {}, status = 200, tokens = good, line = 'passed' }) => {
    requests.length = 0;
    const issuer = createServer((request, response) => {
      void text(request).then((body) => {
        requests.push([request.method, request.headers.authorization, body]);
        response.writeHead(status).end(JSON.stringify(tokens));
      });
    });
    const TOKEN_URL = await startServer(issuer);
    const npm = `[ "$*" = 'run -s smoke' ] && echo "${line} with $TOKEN of $BASE_URL" && [ '${line}' != FAILED ]`;
    const { succeeded, output } = await runTool('bash', [join(checkout, '.github/smoke.sh')], {
      cwd: newFolder(),
      env: {
        ...{ ...runnerEnvironment, PATH: pathWith({ npm }) },
        ...{ BASE_URL: 'https://plants', TOKEN_URL, CLIENT_ID: 'probe', CLIENT_SECRET: 's3cret/+=' },
        ...variables,
      },
    });
    await stopServer(issuer);
    return [succeeded, output];
  };

  it.each([
    ['grant_type=client_credentials', {}],
    ['audience=plants&a=b', { TOKEN_REQUEST: 'audience=plants&a=b' }],
  ])('requests a token with %s, masks it, and tests with it', async (body, variables) => {
    const output = '::add-mask::a.b.c\npassed with a.b.c of https://plants\n';
    expect(await run({ variables })).toEqual([true, output]);
    const credentials = Buffer.from('probe:s3cret/+=').toString('base64');
    expect(requests).toEqual([['POST', `Basic ${credentials}`, body]]);
  });

  it.each([
    ['the issuer rejects the client', { status: 401 }, /^curl: .*401/],
    ['the issuer’s response has no token', { tokens: {} }, /^$/],
    ['a check fails', { line: 'FAILED' }, /^FAILED/m],
    ['the client has too few plants', { line: 'fewer than two plants' }, /^::error::.*not check/m],
    ['BASE_URL is not set', { variables: { BASE_URL: '' } }, /BASE_URL: is not set\n$/],
    ['TOKEN_URL is not set', { variables: { TOKEN_URL: '' } }, /TOKEN_URL: is not set\n$/],
  ])('fails if %s', async (_, given, message) => {
    expect(await run(given)).toEqual([false, expect.stringMatching(message)]);
  });

  const names = ['BASE_URL', 'TOKEN_URL', 'TOKEN_REQUEST', 'CLIENT_ID', 'CLIENT_SECRET'];
  const variablesOf = (stage: string, prefix = ''): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [`${prefix}${name}`, `${name} of ${stage}`]));
  it.each([
    ['stage', ['prod']],
    ['probe', ['staging', 'prod']],
    ['probe', ['staging']],
  ] as const)('gets the variables of each stage from %s.yml: %j', (workflow, stages) => {
    const vars = {
      PROBED_STAGES: JSON.stringify(stages),
      ...variablesOf('staging', 'STAGING_'),
      ...variablesOf('prod', 'PROD_'),
      // The names that stage.yml makes; GitHub ignores the case.
      ...variablesOf('prod', 'prod_'),
    };
    const outputs = { 'base-url': 'BASE_URL of prod' };
    const contexts = { inputs: { stage: 'prod' }, needs: { deploy: { outputs } }, vars, secrets: vars };
    // The failure of one stage does not skip the next one.
    const steps = jobOf(workflow, 'smoke')
      .steps.filter(({ run: command }) => command === '.github/smoke.sh')
      .filter(({ if: condition }, index) => isMet(condition, contexts, index === 0));
    expect(steps.map(({ env }): unknown => JSON.parse(evaluate(JSON.stringify(env), contexts)))).toEqual(
      stages.map((stage) => variablesOf(stage)),
    );
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
    const environment = { PATH: pathWith({ gh }) };
    const report = await runCommand(jobOf('probe', 'report'), 'gh', { github }, folder, environment);
    expect(report).toMatchObject({ succeeded: true, output: '' });
    const calls = readFileSync(join(folder, 'calls'), 'utf8');
    expect(calls.match(/^issue (?:create|comment).*/gm)).toEqual([expect.stringMatching(call)]);
  });
});

import { createServer } from 'node:http';
import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { listen } from '../../../local/listen.ts';
import type { Target } from '../../contract/target.ts';
import { npmStart } from '../../support/service/npm-start.ts';
import { checkout, copyCheckout, newFolder, runnerEnvironment } from './workflow-runner.ts';
import { type Job, jobOf, readWorkflow, runSteps, type StepResult, workflowText } from './workflow.ts';

const probe = readWorkflow('probe');
const stage = readWorkflow('stage');
const client = { id: 'smoke', secret: 's3cret/+=' };

describe('the smoke test of stage.yml and probe.yml', () => {
  /** The issuer's response to a request for a token. */
  let tokenResponse: { readonly status: number; readonly body: object } = { status: 401, body: {} };
  const asked: unknown[] = [];
  const issuer = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push([request.method, request.headers.authorization, body]);
      response.writeHead(tokenResponse.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(tokenResponse.body));
    });
  });
  const folder = copyCheckout();
  const temporary = newFolder();
  let target: Target;
  let tokenUrl = '';
  beforeAll(async () => {
    symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
    target = await npmStart();
    tokenUrl = `http://127.0.0.1:${String(await listen(issuer, 0, 'ISSUER_PORT'))}/oauth2/token`;
  });
  afterAll(async () => {
    issuer.closeAllConnections();
    issuer.close();
    await target.stop();
    for (const each of [folder, temporary]) rmSync(each, { recursive: true });
  });

  /** The expressions for a setting of a stage, in both workflows. */
  const settings = (name: string, value: string): Readonly<Record<string, string>> => {
    const context = name.endsWith('SECRET') ? 'secrets' : 'vars';
    const names = [`[format('{0}_${name}', inputs.stage)]`, `.STAGING_${name}`, `.PROD_${name}`];
    return Object.fromEntries(names.map((each) => [`${context}${each}`, value]));
  };
  /** Runs the last step but so many, with the values that GitHub has for its expressions. */
  const smoke = async (
    job: Job,
    values: Readonly<Record<string, string>> = {},
    before = 0,
  ): Promise<StepResult> => {
    const [result] = await runSteps(
      { ...job, env: {}, steps: job.steps.slice(-1 - before).slice(0, 1) },
      {
        folder,
        temporary,
        environment: { ...runnerEnvironment, BASE_URL: target.baseUrl },
        expressions: {
          'needs.deploy.outputs.base-url': target.baseUrl,
          ...settings('BASE_URL', target.baseUrl),
          ...settings('TOKEN_URL', tokenUrl),
          ...settings('TOKEN_REQUEST', ''),
          ...settings('CLIENT_ID', client.id),
          ...settings('CLIENT_SECRET', client.secret),
          ...values,
        },
      },
    );
    if (result === undefined) throw new Error('The last step runs no command.');
    return result;
  };
  const ofProbe = jobOf(probe, 'smoke');
  const tokenFor = (claims: Readonly<Record<string, unknown>>): string => target.issuer.token({ claims });

  it.each([
    ['after a deployment', jobOf(stage, 'smoke'), 0],
    ['every 15 minutes in prod', ofProbe, 0],
    ['every 15 minutes in staging', ofProbe, 1],
  ])('passes %s with a token from the stage’s issuer, and does not print it', async (_, job, before) => {
    const token = tokenFor({ sub: 'alice', groups: ['gardeners'] });
    tokenResponse = { status: 200, body: { access_token: token, token_type: 'Bearer' } };
    asked.length = 0;
    const { ok, output } = await smoke(job, {}, before);
    expect(ok, output).toBe(true);
    expect(output).not.toMatch(/FAILED|not checked: (?!compression)/);
    expect(output.match(/^passed /gm)).toHaveLength(10);
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
    expect(asked).toEqual([['POST', `Basic ${basic}`, 'grant_type=client_credentials']]);
    // The line with which GitHub masks it in all others.
    expect(output.split('\n').filter((line) => line.includes(token))).toEqual([`::add-mask::${token}`]);
  });

  it.each([
    ['the issuer refuses the client', { status: 401, body: { error: 'invalid_client' } }],
    ['the issuer’s response has no token', { status: 200, body: { token_type: 'Bearer' } }],
  ])('fails without a request for plants when %s', async (_, given) => {
    tokenResponse = given;
    const { ok, output } = await smoke(ofProbe);
    expect(ok).toBe(false);
    expect(output).not.toMatch(/passed|plants/);
  });

  it.each(['BASE_URL', 'TOKEN_URL'])('names the variable %s when it is not set', async (name) => {
    const { ok, output } = await smoke(ofProbe, settings(name, ''));
    expect([ok, output]).toEqual([false, expect.stringMatching(new RegExp(`${name}: is not set\n$`))]);
  });

  it('fails for a client with too few plants to check order and pages', async () => {
    tokenResponse = { status: 200, body: { access_token: tokenFor({ sub: 'nobody' }) } };
    const { ok, output } = await smoke(ofProbe);
    expect(ok).toBe(false);
    expect(output).toContain('::error::The smoke test could not check');
  });

  it('fails when the service does not accept the token', async () => {
    tokenResponse = { status: 200, body: { access_token: tokenFor({ aud: 'another-api' }) } };
    const { ok, output } = await smoke(ofProbe);
    expect(ok).toBe(false);
    expect(output).toMatch(/200\b.*\b403/);
  });
});

describe('probe.yml', () => {
  it('starts every 15 minutes', () => {
    const { on } = z
      .object({ on: z.object({ schedule: z.tuple([z.object({ cron: z.string() })]) }) })
      .parse(parse(workflowText('probe')));
    expect(on.schedule[0].cron).toMatch(/^\d+-59\/15 \* \* \* \*$/);
  });

  it('tests the stages that the repository lists in one job, each even if another one fails', () => {
    const { if: condition, environment, steps } = jobOf(probe, 'smoke');
    expect(condition).toBe("vars.PROBED_STAGES != '' && vars.PROBED_STAGES != '[]'");
    expect([workflowText('probe').includes('matrix'), environment]).toEqual([false, 'smoke']);
    expect(steps.slice(-2).map((step) => step.if)).toEqual([
      "${{ contains(fromJSON(vars.PROBED_STAGES), 'staging') }}",
      "${{ !cancelled() && contains(fromJSON(vars.PROBED_STAGES), 'prod') }}",
    ]);
  });

  describe('after a failure', () => {
    const folder = newFolder();
    const calls = join(folder, 'calls');
    writeFileSync(
      join(folder, 'gh'),
      '#!/usr/bin/env bash\necho "$*" >>"$CALLS"\n[[ "$1 $2" != "issue list" ]] || printf "%s" "$OPEN_ISSUE"\n',
    );
    chmodSync(join(folder, 'gh'), 0o755);
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    const report = async (openIssue: string): Promise<string> => {
      writeFileSync(calls, '');
      const results = await runSteps(jobOf(probe, 'report'), {
        folder,
        temporary: folder,
        environment: {
          PATH: `${folder}${delimiter}${runnerEnvironment.PATH}`,
          CALLS: calls,
          OPEN_ISSUE: openIssue,
        },
        expressions: {
          'github.token': 'token',
          'github.repository': 'team/plant-store',
          'github.server_url': 'https://github.com',
          'github.run_id': '7',
        },
      });
      expect(results.map(({ ok, output }) => [ok, output])).toEqual([[true, '']]);
      return readFileSync(calls, 'utf8');
    };

    it('runs the report, and only then', () => {
      expect([jobOf(probe, 'report').needs, jobOf(probe, 'report').if]).toEqual([
        ['smoke'],
        "${{ !cancelled() && needs.smoke.result != 'success' && needs.smoke.result != 'skipped' }}",
      ]);
    });

    it('opens an issue that links to the run', async () => {
      expect(await report('')).toMatch(
        /^issue create --label probe .*https:\/\/github\.com\/team\/plant-store\/actions\/runs\/7\b/m,
      );
    });

    it('adds to the open issue instead of opening a second one', async () => {
      const called = await report('12');
      expect(called).toMatch(/^issue comment 12 .*\/actions\/runs\/7$/m);
      expect(called).not.toContain('issue create');
    });
  });
});

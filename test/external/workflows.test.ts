import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listen } from '../../local/listen.ts';
import type { Target } from '../contract/target.ts';
import { npmStart } from '../support/npm-start.ts';
import { suites } from './suites.ts';
import { type Job, readWorkflow, runSteps, type Runner, type StepResult, workflowText } from './workflow.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const actionlint = z.string().parse(process.env['ACTIONLINT_COMMAND']);
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')));

const names = ['ci', 'deploy', 'mutations'];
const deploy = readWorkflow('deploy');
const jobNamed = (name: string): Job => {
  const job = deploy.jobs[name];
  if (job === undefined) throw new Error(`deploy.yml has no job ${name}.`);
  return job;
};

describe.each(names)('%s.yml', (name) => {
  const workflow = readWorkflow(name);
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  const lint = (workflowFile: string): string =>
    spawnSync(actionlint, ['-oneline', '-no-color', '-'], { input: workflowFile, encoding: 'utf8' }).stdout;

  it('passes actionlint', () => {
    expect(lint(workflowText(name))).toBe('');
  });

  it.each([
    [
      'a job that waits for one that does not exist',
      /^ {4}runs-on/m,
      '    needs: nothing\n    runs-on',
      /"nothing"/,
    ],
    ['an expression with a typo', '${{ ', '${{ githob.ref || ', /undefined variable "githob"/],
    ['a command that ShellCheck warns of', 'run: npm ci', 'run: cd $HOME', /shellcheck.*SC2086/],
  ])('fails actionlint with %s', (_, correct, broken, finding) => {
    expect(lint(workflowText(name).replace(correct, broken))).toMatch(finding);
  });

  it('pins each action to a commit, and says which version that is', () => {
    const uses = workflowText(name).match(/uses:.*/g) ?? [];
    expect(uses).not.toEqual([]);
    for (const each of uses) expect(each).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs npm commands that exist', () => {
    const commands = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/\bnpm (?:--prefix \S+ )?(?:run (?:-s )?)?(\S+)/g)].map(([, command = '']) => command),
    );
    expect(commands).toContain('ci');
    expect(commands.filter((command) => command !== 'ci' && !(command in scripts))).toEqual([]);
  });

  it('may only read the repository and, for a stage, get a token for AWS', () => {
    expect(workflow.permissions).toEqual({});
    for (const { permissions, environment } of jobs) {
      expect(permissions).toEqual({
        contents: 'read',
        ...(environment !== undefined && { 'id-token': 'write' }),
      });
    }
  });

  it('leaves no credentials in the checkout, and contains no AWS credentials', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBe(jobs.length);
    for (const step of checkouts) expect(step.with['persist-credentials']).toBe(false);
    expect(workflowText(name)).not.toMatch(/aws-access-key-id|aws-secret|AWS_SECRET|AWS_ACCESS_KEY/i);
  });
});

describe('ci.yml', () => {
  const { jobs } = readWorkflow('ci');

  it('runs the README’s test command', () => {
    expect(readFileSync(join(checkout, 'README.md'), 'utf8')).toContain('npm ci && npm test ');
    expect(jobs['test']?.steps.at(-1)?.run).toBe('npm ci && npm test');
  });

  it('runs every suite', () => {
    expect(jobs['suites']?.strategy?.matrix['suite']).toEqual(suites.map(({ name }) => name));
    expect(jobs['suites']?.steps.at(-1)?.run).toBe('npm run test:external -- ${{ matrix.suite }}');
  });

  it('checks the code of the benchmark with its packages installed', () => {
    expect(jobs['bench']?.steps.flatMap(({ run }) => run ?? [])).toEqual([
      'npm ci',
      'npm --prefix bench ci --ignore-scripts',
      'npm run check',
    ]);
  });
});

describe('deploy.yml', () => {
  it('deploys one synthesis to staging and then to prod with the same steps, one run at a time', () => {
    const { staging, prod } = deploy.jobs;
    expect(Object.keys(deploy.jobs)).toEqual(['synth', 'staging', 'prod']);
    expect([staging?.needs, prod?.needs]).toEqual(['synth', 'staging']);
    expect([staging?.environment, prod?.environment]).toEqual(['staging', 'prod']);
    expect([staging?.env, prod?.env]).toEqual([{ STAGE: 'staging' }, { STAGE: 'prod' }]);
    expect(staging?.steps).toEqual(prod?.steps);
    expect(deploy.concurrency['cancel-in-progress']).toBe(false);
  });
});

/** A copy of the checkout, as on GitHub's runner. */
const copyCheckout = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const left = ['.git', 'node_modules', 'cdk.out', '.local', 'test-results'];
  cpSync(checkout, folder, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  return folder;
};

/** The commit to deploy. */
let commit = 'c0ffee'.padEnd(40, '0');

/** Commits a checkout's files to the remote repository's branch main. */
const commitToMain = (folder: string): string => {
  const git = (...parameters: readonly string[]): string =>
    execFileSync('git', parameters, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'All');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return git('rev-parse', 'HEAD');
};

const client = { id: 'smoke', secret: 's3cret/+=' };
const runner = (folder: string, environment: Readonly<Record<string, string>> = {}): Runner => ({
  folder,
  environment: { ...environmentOfTheRunner, ...environment },
  expressions: {
    'inputs.commit || github.event.workflow_run.head_sha': commit,
    'vars.TOKEN_URL': environment['TOKEN_URL'] ?? '',
    "vars.TOKEN_REQUEST || 'grant_type=client_credentials'": 'grant_type=client_credentials',
    'vars.SMOKE_CLIENT_ID': client.id,
    'secrets.SMOKE_CLIENT_SECRET': client.secret,
  },
});

/** This process's environment without a developer's AWS settings, and with the Node.js of the workflows. */
const environmentOfTheRunner = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('AWS_') ? [] : [[name, value]],
    ),
  ),
  PATH: [
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules')),
  ].join(delimiter),
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};

describe('the commands of deploy.yml', () => {
  /** The calls to AWS, which refuses each. */
  const calls: string[] = [];
  const aws = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push(new URLSearchParams(body).get('Action') ?? `${request.method ?? ''} ${request.url ?? ''}`);
      response.writeHead(403, { 'content-type': 'text/xml' });
      response.end(
        '<ErrorResponse><Error><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>',
      );
    });
  });
  const folder = copyCheckout();
  const onMain = commitToMain(folder);
  const elsewhere = `${folder}-elsewhere`;
  afterAll(() => {
    aws.closeAllConnections();
    aws.close();
    for (const each of [folder, elsewhere]) rmSync(each, { recursive: true, force: true });
  });

  it.each(['main', 'c0ffee'.padEnd(40, '0'), ''])(
    'refuse "%s", which is no commit on main',
    async (given) => {
      commit = given;
      const [first, ...others] = await runSteps(deploy, jobNamed('synth'), runner(folder));
      expect([first?.ok, first?.output, others]).toEqual([
        false,
        expect.stringMatching(/::error::.*commit.*main/),
        [],
      ]);
    },
  );

  it('synthesize once, and deploy the result from another checkout up to the first call to AWS', async () => {
    commit = onMain;
    const synthesized = await runSteps(deploy, jobNamed('synth'), runner(folder));
    expect(synthesized.filter(({ ok }) => !ok)).toEqual([]);
    for (const stage of ['staging', 'prod']) {
      const template = readFileSync(join(folder, `cdk.out/PlantStore-${stage}.template.json`), 'utf8');
      expect(template).toContain(`"DEPLOYED_COMMIT": "${commit}"`);
    }
    expect(calls).toEqual([]);
    renameSync(folder, elsewhere);
    // Without these files it cannot be synthesized again.
    rmSync(join(elsewhere, 'infra'), { recursive: true });

    const port = await listen(aws, 0, 'PORT');
    const deployed = await runSteps(
      deploy,
      jobNamed('staging'),
      runner(elsewhere, {
        AWS_ENDPOINT_URL: `http://127.0.0.1:${String(port)}`,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_SESSION_TOKEN: 'token',
      }),
    );
    expect(
      deployed.map(({ run, ok }) => [run.split(' -- ')[0], ok]),
      deployed.at(-1)?.output,
    ).toEqual([
      ['npm ci', true],
      ['npm run deploy', false],
    ]);
    expect(calls[0]).toBe('GetCallerIdentity');
  }, 600_000);
});

describe('the smoke test of deploy.yml', () => {
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
  let target: Target;
  let tokenUrl = '';
  beforeAll(async () => {
    symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
    target = await npmStart();
    writeFileSync(
      join(folder, 'outputs.json'),
      JSON.stringify({ 'PlantStore-staging': { BaseUrl: target.baseUrl, TableName: 'plants' } }),
    );
    tokenUrl = `http://127.0.0.1:${String(await listen(issuer, 0, 'ISSUER_PORT'))}/oauth2/token`;
  });
  afterAll(async () => {
    issuer.closeAllConnections();
    issuer.close();
    await target.stop();
    rmSync(folder, { recursive: true });
  });

  const smoke = async (): Promise<StepResult> => {
    const job = jobNamed('staging');
    const step = { ...job, steps: job.steps.slice(-1) };
    const [result] = await runSteps(deploy, step, runner(folder, { TOKEN_URL: tokenUrl }));
    if (result === undefined) throw new Error('The last step of deploying runs no command.');
    return result;
  };
  const tokenFor = (claims: Readonly<Record<string, unknown>>): string => target.issuer.token({ claims });

  it('passes with a token from the stage’s issuer, and does not print the token to the log', async () => {
    const token = tokenFor({ sub: 'alice', groups: ['gardeners'] });
    tokenResponse = { status: 200, body: { access_token: token, token_type: 'Bearer' } };
    const { ok, output } = await smoke();
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
    const { ok, output } = await smoke();
    expect(ok).toBe(false);
    expect(output).not.toMatch(/passed|plants/);
  });

  it('fails for a client with too few plants to check order and pages', async () => {
    tokenResponse = { status: 200, body: { access_token: tokenFor({ sub: 'nobody' }) } };
    const { ok, output } = await smoke();
    expect(ok).toBe(false);
    expect(output).toContain('::error::The smoke test could not check');
  });

  it('fails when the service does not accept the token', async () => {
    tokenResponse = { status: 200, body: { access_token: tokenFor({ aud: 'another-api' }) } };
    const { ok, output } = await smoke();
    expect(ok).toBe(false);
    expect(output).toMatch(/200\b.*\b403/);
  });
});

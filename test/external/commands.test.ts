import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument, sectionsOf, shellBlocks } from '../support/markdown.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
const calls = join(folder, 'calls');
writeFileSync(`${calls}.taken`, '');
for (const command of ['aws', 'curl', 'date', 'gh', 'git', 'npm', 'npx', 'sleep']) {
  symlinkSync(fileURLToPath(new URL('stand-ins.sh', import.meta.url)), join(folder, command));
}

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Result {
  /** Each command that ran, one per line. */
  readonly called: string;
  /** The commands with an empty argument, and those that the AWS CLI rejects. */
  readonly refused: string;
  readonly stderr: string;
}

/** Runs a script in a new shell, with stand-ins for the commands that would send requests or differ between systems. */
const run = async (script: string, ...options: readonly string[]): Promise<Result> => {
  for (const file of [calls, `${calls}.refused`]) writeFileSync(file, '');
  const { stderr } = await promisify(execFile)('bash', ['--norc', ...options, '-c', script], {
    cwd: folder,
    env: {
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: folder,
      CALLS: calls,
      AWS_CLI_COMMAND: process.env['AWS_CLI_COMMAND'],
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_MAX_ATTEMPTS: '1',
    },
  });
  return {
    called: readFileSync(calls, 'utf8'),
    refused: readFileSync(`${calls}.refused`, 'utf8'),
    stderr,
  };
};

/** Service and action of each call of the AWS CLI in a text. */
const actionsIn = (text: string): readonly string[] =>
  [...new Set(text.match(/(?<=\baws )[a-z0-9-]+ (?:wait )?[a-z-]+/g))].toSorted();

describe('the stand-in for the AWS CLI', () => {
  it.each([
    'aws lambda get-functions --function-name plants',
    'aws lambda get-function --function plants --unknown',
    'aws lambda get-function',
    'aws lambda put-function-concurrency --function-name plants --reserved-concurrent-executions none',
    'aws dynamodb query --table-names plants',
    'aws dynamodb wait table-exist --table-name plants',
  ])('refuses %s', async (command) => {
    expect((await run(`${command} || true`)).refused).not.toBe('');
  });
});

describe('docs/runbook.md', () => {
  const sections = sectionsOf(readDocument('docs/runbook.md'), 2).flatMap(([heading, text]) => [
    [heading, text.split(/^### /m)[0] ?? ''] as const,
    ...sectionsOf(text, 3),
  ]);
  const [preamble = ''] = shellBlocks(readDocument('docs/runbook.md'));
  /** The blocks of commands, and the commands within sentences. */
  const blocksIn = (text: string): readonly string[] => [
    ...shellBlocks(text).filter((block) => block !== preamble),
    ...[...text.matchAll(/`((?:aws|npm run) [^`]+)`/g)].map(([, command = '']) => command),
  ];
  const blocksOf = (title: string): readonly string[] =>
    blocksIn(sections.find(([heading]) => heading === title)?.[1] ?? '');
  const functions = [...preamble.matchAll(/^(\w+)\(\) \{(.*?)^\}/gms)].map(
    ([, name = '', body = '']) => [name, body] as const,
  );
  const mark = '--- the section';

  /** What a text calls, also through the functions of “Before you start”. */
  const actionsBehind = (text: string): readonly string[] =>
    [
      ...new Set([
        ...actionsIn(text),
        ...functions.flatMap(([name, body]) =>
          new RegExp(`(?:^|[(&|;])\\s*${name} `, 'm').test(text) ? actionsBehind(body) : [],
        ),
      ]),
    ].toSorted();

  /** Runs a block in a new shell after “Before you start”, and returns what the block alone called. */
  const runAlone = async (block: string): Promise<Result> => {
    const result = await run(`${preamble}\necho '${mark}' >>"$CALLS"\n${block}`, '-u');
    return { ...result, called: result.called.split(mark)[1] ?? '' };
  };

  it.for(sections.filter(([, text]) => blocksIn(text).length > 0).map(([heading]) => heading))(
    'gives commands in “%s” that work in a new shell, each block alone',
    async (heading, { task }) => {
      task.meta.cases = blocksOf(heading).length;
      for (const block of blocksOf(heading)) {
        const { called, refused, stderr } = await runAlone(block);
        expect({ refused, stderr }, block).toEqual({ refused: '', stderr: '' });
        expect(actionsIn(called), block).toEqual(actionsBehind(block));
      }
    },
  );

  it('changes nothing when the stage does not exist, however much is typed after “Before you start”', async () => {
    const blocks = sections.flatMap(([, text]) => blocksIn(text));
    const typed = join(folder, 'typed');
    writeFileSync(typed, [preamble.replace('use_stage prod', 'use_stage none'), ...blocks].join('\n'));
    // A shell that a person uses continues after an error.
    const { called, refused, stderr } = await run(`bash --norc --noprofile -i <'${typed}' || true`);
    expect(stderr).toContain('There is no stage none');
    expect(stderr).toContain('TABLE: unbound variable');
    expect(refused).toBe('');
    // What is left is about the account, not about the stage.
    expect(
      actionsIn(called).filter((action) => !/ (?:get|list|describe|lookup|wait)\b/.test(action)),
    ).toEqual(['service-quotas request-service-quota-increase']);
    expect(called).not.toMatch(/npm run (?:-s )?plants .*--stage (?!prod)/);
  });

  it.each([
    ['Roll back', 'aws deploy update-deployment-group', 'npm run deploy', 'continue-update-rollback'],
    ['Rotate issuer keys', 'aws deploy get-deployment-group', 'npm run deploy'],
    ['Revoke a user', 'npm run -s plants -- list', 'plants -- revoke'],
    ['Restore the table', 'aws dynamodb describe-table', 'put-role-policy', 'version'],
    ['Restore the table', 'aws lambda get-function-configuration', 'update-alias', 'delete-role-policy'],
    ['Restore the table', 'aws lambda update-alias', 'delete-role-policy'],
    ['Delete everything', 'aws cloudformation update-termination-protection', 'delete-', 'update-table'],
    ['Delete everything', 'aws cloudformation wait', 'delete-table', 'delete-log-group', 'update-table'],
    ['A Region is out', 'npx cdk bootstrap', 'npm run'],
  ])('stops in “%s” when `%s` fails', async (heading, failing, ...later) => {
    const blocks = blocksOf(heading).filter((block) => block.includes(later[0] ?? ''));
    expect(blocks).not.toEqual([]);
    for (const block of blocks) {
      const { called } = await runAlone(`export FAILING='${failing}'\n${block}\ntrue`);
      expect(called).toContain(failing);
      for (const command of later) expect(called).not.toContain(command);
    }
  });

  it('knows no name of a stage when one of them could not be found', async () => {
    const failing = `export FAILING='aws cloudformation describe-stack-resources'\n`;
    const { stderr } = await run(`${failing}${preamble}\n(echo "$TABLE") || (echo "$STACK") || true`, '-u');
    expect(stderr).toContain('There is no stage prod');
    expect(stderr).toMatch(/TABLE: unbound variable\n.*STACK: unbound variable/);
  });

  it('waits for a rollback only when it stopped a deployment', async () => {
    const [, block = ''] = blocksOf('Roll back');
    const { called } = await runAlone(`export FAILING='aws deploy list-deployments'\n${block}`);
    expect(called).toContain('list-deployments');
    expect(called).not.toContain('wait');
  });

  it('shows no response in a pager, which would read the commands after it', async () => {
    const { called } = await run(`AWS_PAGER=less\n${preamble}\nenv | grep ^AWS_PAGER >>"$CALLS"`, '-u');
    expect(called).toMatch(/^AWS_PAGER=$/m);
  });

  it('starts new environments each time that keys are rotated, also twice at one commit', async () => {
    const [, rotation = ''] = blocksOf('Rotate issuer keys');
    const { called } = await runAlone(`${rotation}\ncommand -p sleep 1\n${rotation}`);
    const commits = [...called.matchAll(/^DEPLOYED_COMMIT=(\S+) npm run deploy/gm)].map(
      ([, commit]) => commit,
    );
    expect(commits).toHaveLength(2);
    expect(new Set(commits).size).toBe(2);
  });

  it('lists only the commits whose smoke test of the stage passed, so that the last good one is found', async () => {
    const block = blocksOf('Roll back').find((each) => each.includes('gh run view')) ?? '';
    const ofRun = (number: number, smokeTests: Readonly<Record<string, string>>): void => {
      const jobs = Object.entries(smokeTests).map(([stage, conclusion]) => ({
        name: `smoke-${stage}`,
        conclusion,
        completedAt: `2026-11-0${String(number)}T10:00:00Z`,
      }));
      const displayTitle = `Deploy c0ffee${String(number)} to staging, then prod`;
      writeFileSync(join(folder, `${String(number)}.json`), JSON.stringify({ displayTitle, jobs }));
    };
    ofRun(4, { staging: 'skipped', prod: 'skipped' });
    ofRun(3, { staging: 'success', prod: 'failure' });
    ofRun(2, { staging: 'success', prod: 'success' });
    ofRun(1, { staging: 'success', prod: 'success' });
    const { called } = await runAlone(`export RUNS='4 3 2 1'\n{ ${block.trim()}; } | tee -a "$CALLS"`);
    expect(called.match(/^2026-.*$/gm)).toEqual([
      '2026-11-02T10:00:00Z Deploy c0ffee2 to staging, then prod',
      '2026-11-01T10:00:00Z Deploy c0ffee1 to staging, then prod',
    ]);
  });

  it('deploys an earlier commit without canary and alarms, which are on again afterwards', async () => {
    const block = blocksOf('Roll back').find((each) => each.includes('npm run deploy')) ?? '';
    const { called } = await runAlone(block);
    const settings = called.match(
      /npm run deploy|(?<=deployment-config-name )CodeDeployDefault\.\w+ --alarm-configuration \S+/g,
    );
    expect(settings).toEqual([
      ...Array<string>(2).fill('CodeDeployDefault.LambdaAllAtOnce --alarm-configuration {"enabled":false}'),
      'npm run deploy',
      ...Array<string>(2).fill(
        'CodeDeployDefault.LambdaCanary10Percent5Minutes --alarm-configuration {"enabled":true}',
      ),
    ]);
  });

  it('names the right to each change that its commands make', () => {
    const rights = sections.find(([heading]) => heading === 'Contacts and rights')?.[1] ?? '';
    const changes = sections
      .flatMap(([, text]) => actionsIn(blocksIn(text).join('\n')))
      .filter((action) => !/ (?:get|list|describe|lookup|wait|start)\b/.test(action));
    for (const change of changes) expect(rights).toContain(`\`${rightTo(change)}\``);
  });
});

/** The IAM action of a command of the AWS CLI. */
const rightTo = (action: string): string => {
  const [command = '', verb = ''] = action.split(' ');
  if (command === 'apigatewayv2') return verb.startsWith('update') ? 'apigateway:PATCH' : 'apigateway:DELETE';
  const service = { deploy: 'codedeploy', 'service-quotas': 'servicequotas' }[command] ?? command;
  return `${service}:${verb.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}`;
};

describe('docs/pipeline.md', () => {
  it('gives commands that bash, jq and the AWS CLI accept', async ({ task }) => {
    const script = shellBlocks(readDocument('docs/pipeline.md')).join('\n');
    const { called, refused, stderr } = await run(script);
    expect({ refused, stderr }).toEqual({ refused: '', stderr: '' });
    expect(actionsIn(called)).toEqual(actionsIn(script));
    task.meta.cases = actionsIn(called).length;
  });

  it('trusts the subject that GitHub reports, not one made of names', async () => {
    const { called } = await run(shellBlocks(readDocument('docs/pipeline.md')).join('\n'));
    expect(called).toMatch(
      /^aws iam create-role .*githubusercontent\.com:sub": "repo:team@1\/plant-store@2:environment:prod"/m,
    );
  });

  it('protects both environments of a stage, and gives only one of them the role', async () => {
    const { called } = await run(shellBlocks(readDocument('docs/pipeline.md')).join('\n'));
    for (const environment of ['prod', 'prod-smoke']) {
      expect(called).toMatch(
        new RegExp(`^gh api .*/environments/${environment}/deployment-branch-policies .*main`, 'm'),
      );
    }
    expect(called.match(/AWS_ROLE_ARN .*--env \S+/g)).toEqual([expect.stringMatching(/--env prod$/)]);
    expect(called).toMatch(/^gh secret set SMOKE_CLIENT_SECRET .*--env prod-smoke/m);
  });
});

describe('the README’s section “Deploy”', () => {
  const [block = ''] = shellBlocks(new Map(sectionsOf(readDocument('README.md'), 2)).get('Deploy') ?? '');
  const commands = block.trim().split('\n');

  it('leads from nothing to a first request in at most six commands', () => {
    expect(commands.length).toBeLessThanOrEqual(6);
    expect(commands[0]).toBe('npm ci');
    expect(commands.at(-1)).toMatch(/^curl -H "Authorization: Bearer .*<BaseUrl>\/plants$/);
  });

  it('gives commands that the AWS CLI accepts', async ({ task }) => {
    const { called, refused, stderr } = await run(block.replaceAll(/<(\w+)>/g, 'us-east-1_$1'));
    expect({ refused, stderr }).toEqual({ refused: '', stderr: '' });
    expect(called.split('\n').filter((line) => line !== '')).toHaveLength(commands.length + 1);
    expect(actionsIn(called)).toEqual(actionsIn(block));
    task.meta.cases = actionsIn(called).length;
  });

  it.each([
    ['npm', 'npm ci --help', /\bnpm ci$/m],
    ['cdk', 'npx cdk bootstrap --help', /^cdk bootstrap/m],
    ['npm run deploy', 'npx cdk deploy --help', /--exclusively\b/],
    ['curl', 'curl --help all', /-H, --header\b/],
  ])('gives commands that %s has', async (_, help, expected) => {
    const { stdout } = await promisify(execFile)('bash', ['-c', help]);
    expect(stdout).toMatch(expected);
  });
});

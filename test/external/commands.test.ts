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
const items = join(folder, 'items.json');
for (const command of ['aws', 'curl', 'gh', 'git', 'npm', 'npx', 'sleep']) {
  symlinkSync(fileURLToPath(new URL('stand-ins.sh', import.meta.url)), join(folder, command));
}
// The response to a scan of the table.
writeFileSync(
  items,
  JSON.stringify({ Items: [{ principal: { S: 'user#alice' }, sortKey: { S: 'Aloe\u0000a01' } }] }),
);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Result {
  /** Each command that ran, one per line. */
  readonly called: string;
  /** The commands that the AWS CLI rejects. */
  readonly refused: string;
  readonly stderr: string;
}

/** Runs a script with stand-ins for the commands that would send requests. */
const run = async (script: string): Promise<Result> => {
  for (const file of [calls, `${calls}.refused`, `${calls}.taken`]) writeFileSync(file, '');
  const { stderr } = await promisify(execFile)('bash', ['-c', script], {
    cwd: folder,
    env: {
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: folder,
      CALLS: calls,
      ITEMS: items,
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
  it('gives commands that bash, jq and the AWS CLI accept', async ({ task }) => {
    const script = shellBlocks(readDocument('docs/runbook.md')).join('\n');
    const { called, refused, stderr } = await run(script);
    expect({ refused, stderr }).toEqual({ refused: '', stderr: '' });
    expect(actionsIn(called)).toEqual(actionsIn(script));
    task.meta.cases = called.split('\n').filter((line) => line.startsWith('aws ')).length;
  }, 300_000);
});

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

// The suite `commands` proves: the AWS CLI accepts the commands in the README’s “Deploy”, in the runbook
// and in the pipeline’s setup; each block of the runbook works alone in a new bash or zsh; commands on
// plants or logs do on MiniStack what the documents say. It cannot show what a command does on AWS.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { callerIdOf } from '../../../functions/authorizer/authorize.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { readDocument, sectionsOf, shellBlocks } from '../../support/markdown.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const calls = join(folder, 'calls');
writeFileSync(`${calls}.accepted`, '');
mkdirSync(join(folder, '.github'));
symlinkSync(fileURLToPath(new URL('../../../infra', import.meta.url)), join(folder, 'infra'));
const stubbed = ['aws', 'curl', 'date', 'gh', 'git', 'npm', 'npx', 'sleep', '.github/stop-release.sh'];
for (const command of stubbed) {
  symlinkSync(fileURLToPath(new URL('stub.sh', import.meta.url)), join(folder, command));
}

interface Result {
  /** Each command that ran, one per line. */
  readonly called: string;
  /** The commands with an empty argument, and those that the AWS CLI rejects. */
  readonly refused: string;
  readonly stderr: string;
}

/** The shells that operators use, without their settings. */
const shells = ['bash --norc', 'zsh -f'] as const;

/** Runs a script in a new shell, with stubs of the commands that send requests or differ between systems. */
const run = async (script: string, shell: (typeof shells)[number] = 'bash --norc'): Promise<Result> => {
  for (const file of [calls, `${calls}.refused`]) writeFileSync(file, '');
  const [command = '', option = ''] = shell.split(' ');
  const { stderr } = await promisify(execFile)(command, [option, '-c', script], {
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

describe('the stub of the AWS CLI', () => {
  it.each([
    'aws lambda get-functions --function-name plants',
    'aws lambda get-function',
    'aws lambda put-function-concurrency --function-name plants --reserved-concurrent-executions none',
    'aws dynamodb wait table-exist --table-name plants',
  ])('refuses %s', async (command) => {
    expect((await run(`${command} || true`)).refused).not.toBe('');
  });
});

describe('docs/runbook.md', () => {
  const sections = sectionsOf(readDocument('docs/runbook.md'), 2);
  const [preamble = ''] = shellBlocks(readDocument('docs/runbook.md'));
  /** The blocks of commands, and the commands within sentences. */
  const blocksIn = (text: string): readonly string[] => [
    ...shellBlocks(text).filter((block) => block !== preamble),
    ...[...text.matchAll(/`((?:aws|gh|npm run) [^`]+)`/g)].map(([, command = '']) => command),
  ];
  const blocksOf = (title: string): readonly string[] => blocksIn(new Map(sections).get(title) ?? '');
  const mark = '--- the section';

  /** Runs a block in a new shell after “Start here”, and returns what the block alone called. */
  const runAlone = async (block: string, shell?: (typeof shells)[number]): Promise<Result> => {
    const result = await run(`${preamble}\necho '${mark}' >>"$CALLS"\n${block}`, shell);
    return { ...result, called: result.called.split(mark)[1] ?? '' };
  };
  const headings = sections.filter(([, text]) => blocksIn(text).length > 0).map(([heading]) => heading);
  // This section must work while the Region of the stack does not respond.
  const withoutStart = 'A Region is out';

  describe.each(shells)('in %s', (shell) => {
    it.for(headings)(
      'gives commands in “%s” that work in a new shell, each block alone',
      async (heading, { task }) => {
        task.meta.cases = blocksOf(heading).length;
        for (const block of blocksOf(heading)) {
          const { called, refused, stderr } = await runAlone(block, shell);
          expect({ refused, stderr }, block).toEqual({ refused: '', stderr: '' });
          expect(actionsIn(called), block).toEqual(actionsIn(block));
        }
      },
    );

    // An interactive shell continues after an error.
    const type = async (stack: string, block: string): Promise<Result> => {
      const typed = join(folder, 'typed');
      writeFileSync(
        typed,
        `${preamble.replace('PlantStore-prod', stack)}\necho '${mark}' >>"$CALLS"\n${block}`,
      );
      const result = await run(`PS1= PS2= ${shell} -i <'${typed}' || true`);
      return { ...result, called: result.called.split(mark)[1] ?? '' };
    };

    it.each(headings.filter((heading) => heading !== withoutStart))(
      'does nothing in “%s” after “Start here” failed, and says why',
      async (heading) => {
        for (const block of blocksOf(heading)) {
          const { called, stderr } = await type('PlantStore-none', block);
          expect([called.trim(), block]).toEqual(['', block]);
          const said = stderr.split('does not exist').at(-1);
          expect(said, block).toMatch(
            /“Start here” failed|(?:STACK|STAGE|TABLE|LIST|API): (?:unbound|parameter not set)/,
          );
        }
      },
    );

    it('deploys to another Region after “Start here” failed', async () => {
      const { called } = await type('PlantStore-none', blocksOf(withoutStart).join('\n'));
      expect(called).toMatch(/^npm run deploy -- PlantStore-prod .*\nnpm run plants -- import/m);
    });

    it('deletes the table of a failed first deployment, whose stack has no outputs', async () => {
      const deletion = await type('PlantStore-failed', blocksOf('Delete everything').join('\n'));
      expect(deletion.called).toMatch(/^aws dynamodb delete-table --table-name made-up-name/m);
      expect(deletion.called).not.toContain('None');
      const other = await type('PlantStore-failed', blocksOf('Emergency stop').join('\n'));
      expect(other.called.trim()).toBe('');
    });
  });

  it.each([
    ['Roll back', 'git switch', 'npm run deploy'],
    ['Revoke a user', 'npm run -s plants -- list', 'plants -- revoke'],
    ['Restore the table', 'npm run plants -- import', 'delete-table'],
    ['Delete everything', 'aws cloudformation update-termination-protection', 'delete-', 'update-table'],
    ['Delete everything', 'aws cloudformation wait', 'delete-table', 'delete-log-group', 'update-table'],
    ['A Region is out', 'npx cdk bootstrap', 'npm run'],
    ['Deleted table', 'aws dynamodb restore-table-from-backup', 'aws dynamodb wait'],
    ['Changed by hand', 'npx cdk drift', 'npm run deploy'],
  ])('stops in “%s” when `%s` fails', async (heading, failing, ...later) => {
    const blocks = blocksOf(heading).filter((block) => block.includes(later[0] ?? ''));
    expect(blocks).not.toEqual([]);
    for (const block of blocks) {
      const { called } = await runAlone(`export FAILING='${failing}'\n${block}\ntrue`);
      expect(called).toContain(failing);
      for (const command of later) expect(called).not.toContain(command);
    }
  });

  it.each(['Roll back', 'Changed by hand'])(
    'checks out the commit in “%s” even if its SHA is also the name of a branch',
    async (heading) => {
      const { called } = await runAlone(blocksOf(heading).join('\n'));
      expect(called.match(/(?<=^git switch ).*/gm)).toEqual([
        expect.stringMatching(/^--detach \S+\^\{commit\}$/),
      ]);
    },
  );

  it('lists only commits whose smoke test of the stage passed', async () => {
    const block = blocksOf('Roll back').find((each) => each.includes('gh run view')) ?? '';
    for (const [run, staging, prod] of [
      ['3', 'success', 'failure'],
      ['2', 'success', 'success'],
      ['1', 'skipped', 'skipped'],
    ] as const) {
      const completedAt = `2026-11-0${run}T10:00:00Z`;
      const jobs = Object.entries({ staging, prod }).map(([stage, conclusion]) => ({
        name: `${stage} / smoke`,
        conclusion,
        completedAt,
      }));
      const displayTitle = `Deploy c0ffee${run} to staging, then prod`;
      writeFileSync(join(folder, `${run}.json`), JSON.stringify({ displayTitle, jobs }));
    }
    const { called } = await runAlone(`export RUNS='3 2 1'\n{ ${block.trim()}; } | tee -a "$CALLS"`);
    expect(called.match(/^2026-.*$/gm)).toEqual([
      '2026-11-02T10:00:00Z Deploy c0ffee2 to staging, then prod',
    ]);
  });

  it('calculates a caller’s id as the authorizer does', async () => {
    const [block = ''] = blocksOf('Abusive caller');
    const names = 'STACK_ID=arn:aws:stack/1 ISSUER=https://login.example.com/';
    const { called } = await runAlone(`${names}\n{ ${block.trim()}; } >>"$CALLS"`);
    expect(called.trim().split('\n')).toEqual(
      ['alice', 'bob'].map(
        (sub) => `${callerIdOf('arn:aws:stack/1', 'https://login.example.com/', sub)} ${sub}`,
      ),
    );
  });

  it('names the IAM action of each change that its commands make', () => {
    const rights = new Map(sections).get('Contacts and rights') ?? '';
    const changes = sections
      .flatMap(([, text]) => actionsIn(blocksIn(text).join('\n')))
      .filter((action) => !/ (?:get|list|describe|lookup|wait|filter)\b/.test(action));
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

const github = 'token.actions.githubusercontent.com';

describe('docs/pipeline.md', () => {
  const script = shellBlocks(readDocument('docs/pipeline.md')).join('\n');
  let result: Result;
  beforeAll(async () => {
    result = await run(script);
  });

  it('gives commands that bash, jq and the AWS CLI accept', ({ task }) => {
    const { called, refused, stderr } = result;
    expect({ refused, stderr }).toEqual({ refused: '', stderr: '' });
    expect(actionsIn(called)).toEqual(actionsIn(script));
    task.meta.cases = actionsIn(called).length;
  });

  it('trusts the subject that GitHub reports rather than one built from the repository’s name', () => {
    expect(result.called).toMatch(
      /^aws cloudformation deploy .*Subject=repo:team@1\/plant-store@2:environment:prod$/m,
    );
  });

  it('gives a role that trusts only its parameter Subject, and may make each call of stop-release.sh', () => {
    // CloudFormation's own tags, such as !Ref, become text.
    const role: unknown = parse(readDocument('infra/deploy-role.yaml'), { logLevel: 'error' });
    const trusted = {
      StringEquals: { [`${github}:aud`]: 'sts.amazonaws.com', [`${github}:sub`]: 'Subject' },
    };
    expect(role).toMatchObject({
      Resources: {
        Role: { Properties: { AssumeRolePolicyDocument: { Statement: [{ Condition: trusted }] } } },
      },
    });
    const rights = JSON.stringify(role).match(/(?<=")\w+:\w+\*?(?=")/g) ?? [];
    const missing = actionsIn(readDocument('.github/stop-release.sh'))
      .map(rightTo)
      .filter((right) => !rights.some((each) => matchesGlob(right, each)));
    expect(missing).toEqual([]);
  });

  it('protects the environments prod and smoke, and gives the role only to prod', () => {
    const { called } = result;
    for (const environment of ['prod', 'smoke']) {
      expect(called).toMatch(
        new RegExp(`^gh api .*/environments/${environment}/deployment-branch-policies .*main`, 'm'),
      );
    }
    expect(called.match(/AWS_ROLE_ARN .*--env \S+/g)).toEqual([expect.stringMatching(/--env prod$/)]);
    expect(called).toMatch(/^gh secret set prod_CLIENT_SECRET .*--env smoke/m);
  });
});

describe('the README’s section “Deploy”', () => {
  const [block = ''] = shellBlocks(new Map(sectionsOf(readDocument('README.md'), 2)).get('Deploy') ?? '');
  const commands = block.trim().split(/(?<!\\)\n/);

  it('leads from a checkout to a first request in at most six commands', () => {
    expect(commands.length).toBeLessThanOrEqual(6);
    expect(commands[0]).toBe('npm ci');
    expect(commands.at(-1)).toMatch(/^curl -H "Authorization: Bearer .*<BaseUrl>\/plants$/s);
  });

  it('gives commands that the AWS CLI accepts', async ({ task }) => {
    const { called, refused, stderr } = await run(block.replaceAll(/<(\w+)>/g, 'us-east-1_$1'));
    expect({ refused, stderr }).toEqual({ refused: '', stderr: '' });
    expect(called.split('\n').filter((line) => line !== '')).toHaveLength(commands.length + 1);
    expect(actionsIn(called)).toEqual(actionsIn(block));
    task.meta.cases = actionsIn(called).length;
  });

  it.each(shells)(
    'gives commands that send a password with all allowed symbols unchanged, in %s',
    async (shell) => {
      const [, symbols = ''] = /symbols of these: `(.+?)`/.exec(readDocument('README.md')) ?? [];
      const password = `Gardener1${symbols.replaceAll(' ', '')}x`;
      const received: unknown[] = [];
      const body = Buffer.from('{"AuthenticationResult": {"AccessToken": "token"}}');
      const cognito = await startFakeServer((request) => {
        received.push(JSON.parse(request.body.toString()));
        return Promise.resolve({ status: 200, headers: {}, body });
      });
      const commandsOfPassword = commands.slice(-2).join('\n').replaceAll('<PASSWORD>', password);
      const aws = `aws() { AWS_ENDPOINT_URL=${cognito.url} "$AWS_CLI_COMMAND" "$@"; }`;
      await run(`${aws}\n${commandsOfPassword.replaceAll(/<(\w+)>/g, 'us-east-1_$1')}`, shell);
      await cognito.close();
      expect(received).toEqual([
        expect.objectContaining({ Password: password }),
        expect.objectContaining({ AuthParameters: { USERNAME: 'alice', PASSWORD: password } }),
      ]);
    },
  );
});

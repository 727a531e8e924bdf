// The suite `workflows` proves: zizmor, ShellCheck and GitHub's own check find nothing in pipelines, scripts
// and documents; only commits of main that passed CI are deployed; smoke.sh tests with a masked token.
// It cannot show how GitHub evaluates conditions, approvals and identities.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate, ValueProviderKind } from '@actions/languageservice';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { z } from 'zod';
import { startFakeServer } from '../../support/fake-server.ts';
import { shellBlocks } from '../../support/markdown.ts';
import { projectFiles, readProjectFile } from '../../support/project-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runTool } from '../run-tool.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const commandOf = (tool: string): string => z.string().parse(process.env[`${tool.toUpperCase()}_COMMAND`]);
const folder = temporaryFolder();
const files = projectFiles();
const workflows = files.filter((file) => file.startsWith('.github/workflows/'));
/**
 * The commands that a workflow or a job runs. A command is the rest of the line after `run:` or, if that rest
 * is `|`, the indented lines below it.
 */
const commandsOf = (yaml: string): readonly string[] =>
  [...yaml.matchAll(/\brun: (?:\|\n((?: {10}.*\n)+)|(.+))/g)].map(([, block, line = '']) => block ?? line);
const isScript = (file: string): boolean => /^#!.*sh\n/.test(readProjectFile(file));

const expectNoFindings = async (tool: string, parameters: readonly string[]): Promise<void> => {
  const { succeeded, output } = await runTool(commandOf(tool), parameters, { cwd: checkout });
  expect(succeeded, output).toBe(true);
};

it('zizmor finds nothing in the pipelines', async () => {
  await expectNoFindings('zizmor', [
    '--offline',
    ...['--config', 'test/suites/workflows/zizmor.yml'],
    '.github',
  ]);
});

it('ShellCheck finds nothing in the scripts', async () => {
  const options = ['--external-sources', '--source-path=SCRIPTDIR'];
  await expectNoFindings('shellcheck', [...options, ...files.filter(isScript)]);
});

/** The runners that workflows may name. */
const runners = {
  kind: ValueProviderKind.AllowedValues,
  get: () => Promise.resolve([{ label: 'ubuntu-24.04' }]),
};
/**
 * Reads a called workflow, because the check compares the inputs of the workflow with those of its caller.
 */
const getFileContent = ({ path: name }: { readonly path: string }) =>
  Promise.resolve({ name, content: readProjectFile(name) });
it.each(workflows)(
  'GitHub’s check of workflows, as in the editor extension, finds nothing in %s',
  async (file) => {
    const document = TextDocument.create(file, 'yaml', 1, readProjectFile(file));
    const providers = { fileProvider: { getFileContent }, valueProviderConfig: { 'runs-on': runners } };
    expect(await validate(document, providers)).toEqual([]);
  },
);

it.for<[string, readonly string[], (text: string) => readonly string[], ...options: readonly string[]]>([
  // Excluded: SC2016, because texts such as '$default' need single quotes, and SC2034, because a block sets
  // variables that later blocks use.
  ['documents', files.filter((file) => file.endsWith('.md')), shellBlocks, '--exclude=SC2016,SC2034'],
  ['workflows', workflows, commandsOf],
])('ShellCheck finds nothing in the commands of %s', async ([, sources, blocksOf, ...options], { task }) => {
  const copies = sources.flatMap((file) =>
    blocksOf(readProjectFile(file)).map((block, index) => {
      const copy = join(folder, `${file.replaceAll('/', '-')}-${String(index)}.sh`);
      // Placeholders such as <BaseUrl> and ${{ inputs.stage }}, which a reader or GitHub replaces, become
      // words. Otherwise ShellCheck would read them as redirections and expansions.
      writeFileSync(copy, block.replaceAll(/<(\w+)>|\$\{\{.*?\}\}/g, '$1'));
      return copy;
    }),
  );
  task.meta.cases = copies.length;
  await expectNoFindings('shellcheck', ['--shell=bash', ...options, ...copies]);
});

it('the documented npm sbom writes a bill of materials that contains Vite', async () => {
  const [command = ''] = /^npm sbom .+?(?= >)/m.exec(readProjectFile('.github/CONTRIBUTING.md')) ?? [];
  expect((await runTool('sh', ['-c', command], { cwd: checkout })).stdout).toContain('pkg:npm/vite@');
});

it('the only job that logs in to AWS runs npm ci without scripts and cdk deploy, and nothing else', () => {
  const jobs = workflows.flatMap((file) => readProjectFile(file).split(/^ {2}(?=\w+:\n)/m));
  const [jobWithLogin = '', ...otherJobsWithLogin] = jobs.filter((job) =>
    job.includes('configure-aws-credentials'),
  );
  expect(otherJobsWithLogin).toEqual([]);
  expect(commandsOf(jobWithLogin)).toEqual([
    'npm ci --ignore-scripts',
    expect.stringMatching(/^ +node node_modules\/aws-cdk\/bin\/cdk deploy .*\n.*\n +jq .*\n$/),
  ]);
});

/** Runs a script of the pipelines. Where the script calls a command, a replacement runs. */
const runWithReplacement = (
  script: string,
  [command, replacement]: readonly [string, string],
  variables: Readonly<Record<string, string>>,
): ReturnType<typeof runTool> => {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, command), `#!/usr/bin/env bash\n${replacement}\n`, { mode: 0o755 });
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, ...variables };
  return runTool('bash', [join(checkout, '.github', script)], { cwd: folder, env });
};

describe('a commit to deploy', () => {
  const git = (...parameters: readonly string[]): string =>
    execFileSync('git', parameters, { cwd: folder, encoding: 'utf8' }).trim();
  const commit = (message: string): string => {
    git('commit', '--quiet', '--allow-empty', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  const first = commit('First');
  const second = commit('Second');
  git('update-ref', 'refs/remotes/origin/main', second);
  const unreviewed = commit('Not on main');
  // These refs make the names ambiguous, so that Git could resolve them to another commit.
  for (const name of ['tags/origin/main', 'heads/origin/main', `tags/${first}`, `heads/${second}`])
    git('update-ref', `refs/${name}`, unreviewed);

  const notOnMain = /^::error::.*full SHA.*main\.$/m;
  it.for<readonly [what: string, given: string, refused?: RegExp, passed?: string]>([
    ['is accepted if it passed CI and is the tip of main', second],
    ['is accepted if it passed CI and is an older commit of main', first],
    ['is rejected if it is a branch', 'main', notOnMain],
    ['is rejected if it is not on main', unreviewed, notOnMain],
    ['is rejected if it is followed by another line', `${second}\n${unreviewed}`, notOnMain],
    ['is rejected if it did not pass CI', second, /^::error::.*not passed CI.*\.$/m, '0'],
  ])('%s', async ([, COMMIT, refused, passed = '1']) => {
    const query = '--workflow ci.yml --branch main --event push --commit $COMMIT --status success';
    const gh = `[[ "$*" == *"${query}"* ]] && echo ${passed} || echo 0`;
    const { succeeded, output } = await runWithReplacement('check-commit.sh', ['gh', gh], { COMMIT });
    expect([succeeded, output]).toEqual([
      refused === undefined,
      expect.stringMatching(refused ?? /^(?!::error)/),
    ]);
  });
});

it.each([
  ['passes', 'passed', true, /^::add-mask::a\.b\.c\npassed with a\.b\.c of https:\/\/plants\n$/],
  ['fails if a check fails', 'FAILED', false, /^FAILED/m],
  ['fails if the token lists too few plants', 'fewer than two plants', false, /^::error::.*not check/m],
])('smoke.sh requests a token, masks it, and %s', async (_, line, passes, expected) => {
  const issuer = await startFakeServer(({ headers, body }) => {
    const isConfigured = `${headers.authorization ?? ''} ${body.toString()}` === 'Basic cDpzLys9 a=b&c=d';
    return Promise.resolve({
      ...{ status: isConfigured ? 200 : 401, headers: {}, body: Buffer.from('{"access_token":"a.b.c"}') },
    });
  });
  const TOKEN_REQUEST = `url = "${issuer.url}"\nuser = "p:s/+="\ndata = "a=b&c=d"`;
  const npm = `echo "${line} with $TOKEN of $BASE_URL"; [ '${line}' != FAILED ]`;
  const variables = { BASE_URL: 'https://plants', TOKEN_REQUEST };
  const { succeeded, output } = await runWithReplacement('smoke.sh', ['npm', npm], variables);
  await issuer.close();
  expect([succeeded, output]).toEqual([passes, expect.stringMatching(expected)]);
});

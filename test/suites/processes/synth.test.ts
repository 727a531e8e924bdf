import { chmodSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownLines } from '../own-lines.ts';
import { copyProject, runCommand } from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

const inCopy = (file: string): string => join(project.folder, file);
const filesOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: project.folder }).map(inCopy);

/** An environment with secrets of a deployment, and without a login. */
const environment = {
  ...Object.fromEntries(
    ['AWS_SESSION_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'TOKEN'].map((name) => [name, 'a-secret']),
  ),
  ...{ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: 'a-secret', AWS_PROFILE: '' },
  ...{ AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' },
  AWS_EC2_METADATA_DISABLED: 'true',
};
const run = (command: string) => runCommand('sh', project.folder, ['-c', command], environment).ended;

describe('npm run synth', () => {
  let synthesis: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    synthesis = await run('npm run synth');
  });

  it('prints no warning for any stage', () => {
    expect(synthesis.code).toBe(0);
    expect(synthesis.output).toContain('PlantStore-prod');
    expect(synthesis.output).not.toMatch(/warn|error|deprecat/i);
  });

  it('puts no secret of its environment into the assembly', () => {
    const files = filesOf('cdk.out/**').filter((file) => statSync(file).isFile());
    expect(files).toContain(inCopy('cdk.out/PlantStore-prod.template.json'));
    expect(files.filter((file) => readFileSync(file, 'utf8').includes('a-secret'))).toEqual([]);
  });

  it('changes no resource when a sentence is added to the README or the runbook', async () => {
    const template = (): unknown =>
      JSON.parse(readFileSync(inCopy('cdk.out/PlantStore-prod.template.json'), 'utf8'));
    const before = template();
    for (const file of ['README.md', 'docs/runbook.md']) project.edit(file, '\n', '\nOne more sentence.\n');
    expect(await run('npm run synth -- --context stage=prod')).toMatchObject({ code: 0 });
    expect(template()).toEqual(before);
  });

  /** The modes of the assembly's folders and files. */
  const modes = (): ReadonlySet<string> =>
    new Set(
      filesOf('{cdk.out,cdk.out/**}').map((path) => {
        const stats = statSync(path);
        return `${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`;
      }),
    );

  it('makes readable bundles with any umask, replaces changed ones, and keeps other files', async () => {
    const synthWith = (umask: string) => run(`umask ${umask} && npm run synth -- --context stage=local`);
    expect(await synthWith('077')).toMatchObject({ code: 0 });
    expect(modes()).toEqual(new Set(['folder 755', 'file 644']));
    const contents = (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        filesOf('cdk.out/**')
          // CDK measures some runs.
          .filter((file) => statSync(file).isFile() && !file.includes('performance-counters'))
          .map((file) => [file, readFileSync(file, 'utf8')]),
      );
    const before = contents();
    expect(Object.keys(before).filter((file) => /asset\.\w+\/index\.js$/.test(file))).toHaveLength(2);
    for (const file of Object.keys(before)) writeFileSync(file, 'replaced');
    for (const path of filesOf('{cdk.out,cdk.out/**}')) {
      if (path.includes('asset.') && statSync(path).isDirectory()) writeFileSync(join(path, 'added.js'), '');
      chmodSync(path, 0o777);
    }
    writeFileSync(inCopy('cdk.out/mine.txt'), 'mine', { mode: 0o644 });
    expect(await synthWith('000')).toMatchObject({ code: 0 });
    expect(contents()).toEqual({ ...before, [inCopy('cdk.out/mine.txt')]: 'mine' });
    expect(modes()).toEqual(new Set(['folder 755', 'file 644']));
  });

  it('fails on a finding of CDK’s default rules or of cdk-nag’s packs', async () => {
    const restores = [
      project.edit('infra/service-function.ts', 'Runtime.NODEJS_24_X', 'Runtime.NODEJS_12_X'),
      project.edit('infra/findings.ts', 'Serverless-LambdaTracing', 'Serverless-Other'),
      project.edit('infra/monitoring/alarms.ts', 'enforceSSL: true', 'enforceSSL: false'),
    ];
    const { code, output } = await run('npm run synth -- --context stage=prod');
    expect(code).toBe(1);
    expect(output).toContain("Runtime 'nodejs12.x' was deprecated");
    expect(output).toContain('AwsSolutions-SNS3');
    expect(output).toContain('Serverless-LambdaTracing');
    for (const restore of restores.toReversed()) restore();
  });
});

it.each(['urgent=true', 'stage=dev-anna'])(
  'npm run synth has no finding with --context %s',
  async (context) => {
    expect(await run(`npm run synth -- --context ${context}`)).toMatchObject({ code: 0 });
  },
);

it('npm run deploy names the stages in one line when the stage is unknown', async () => {
  const { code, output } = await run('npm run -s deploy -- --context stage=x');
  // CDK adds that the app failed.
  const lines = ownLines(output).filter((line) => !line.endsWith('Subprocess exited with error 1'));
  expect([code, lines]).toEqual([1, [expect.stringMatching(/^There is no stage "x": .*dev-anna\.$/)]]);
});

import { chmodSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownLines } from '../../support/lines.ts';
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

  it.each([
    ['a bundle that others can write to, with umask 000', 'asset', '000', 0o755],
    ['bundles in a folder that others can write to, with umask 077', 'cdk.out', '077', 0o700],
  ])('writes no bundle that another user can change, not even over %s', async (_, open, umask, mode) => {
    const writable = (): readonly string[] =>
      [inCopy('cdk.out'), ...filesOf('cdk.out/{asset.*,asset.*/**}')].filter(
        (entry) => (statSync(entry).mode & 0o022) !== 0,
      );
    expect(filesOf('cdk.out/asset.*').length).toBeGreaterThan(2);
    expect(writable()).toEqual([]);
    const bundle = dirname(filesOf('cdk.out/asset.*/index.js.map')[0] ?? '');
    const code = readFileSync(join(bundle, 'index.js'), 'utf8');
    chmodSync(open === 'asset' ? bundle : inCopy(open), 0o777);
    writeFileSync(join(bundle, 'index.js'), 'replaced');
    writeFileSync(join(bundle, 'added.js'), '');
    const { code: exitCode } = await run(`umask ${umask} && npm run synth -- --context stage=local`);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(bundle, 'index.js'), 'utf8')).toBe(code);
    expect(readdirSync(bundle)).not.toContain('added.js');
    expect(writable()).toEqual([]);
    expect(statSync(bundle).mode & 0o777).toBe(mode);
  });

  it('fails on a finding of CDK’s default rules or of cdk-nag’s packs', async () => {
    const restores = [
      project.edit('infra/service-function.ts', 'Runtime.NODEJS_24_X', 'Runtime.NODEJS_12_X'),
      project.edit('infra/exemptions.yaml', 'Serverless-LambdaTracing', 'Serverless-Other'),
      project.edit('infra/monitoring/notifications.ts', 'enforceSSL: true', 'enforceSSL: false'),
    ];
    const { code, output } = await run('npm run synth -- --context stage=prod');
    expect(code).toBe(1);
    expect(output).toContain("Runtime 'nodejs12.x' was deprecated");
    expect(output).toContain('AwsSolutions-SNS3');
    expect(output).toContain('Serverless-LambdaTracing');
    for (const restore of restores.toReversed()) restore();
  });
});

it('npm run deploy names the stages in one line when the stage is unknown', async () => {
  const { code, output } = await run('npm run -s deploy -- --context stage=x');
  // CDK adds that the app failed.
  const lines = ownLines(output).filter((line) => !line.endsWith('Subprocess exited with error 1'));
  expect([code, lines]).toEqual([1, [expect.stringMatching(/^There is no stage "x": .*dev-anna\.$/)]]);
});

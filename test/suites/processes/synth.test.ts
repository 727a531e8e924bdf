import { chmodSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../infra/operations.ts';
import { linesWithoutNpm } from '../lines-without-npm.ts';
import { runCommand } from '../../support/service/command.ts';
import { copyProject } from '../../support/service/project-copy.ts';

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
  ...{ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: 'a-secret' },
  AWS_EC2_METADATA_DISABLED: 'true',
};
const run = (command: string) => runCommand('sh', project.folder, ['-c', command], environment).ended;
/** Synthesizes as `npm run synth` does, without its check of types. */
const synth = (context: string, before = '') =>
  run(`${before} bin/run cdk synth --quiet --strict --context ${context}`);
/** CDK's default rules take most of a synthesis. `npm run synth` applies them to all stages. */
const withoutDefaultRules = 'CDK_VALIDATION=false';

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

  it('makes an urgent release with any umask, replaces changed bundles, and keeps other files', async () => {
    const sourceMaps = () => filesOf('cdk.out/asset.*/index.js.map');
    const assets = (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        filesOf('cdk.out/{asset.*,asset.*/**}').map((path) => {
          const stats = statSync(path);
          const content = stats.isFile() ? readFileSync(path, 'utf8') : 'folder';
          return [path, `${(stats.mode & 0o777).toString(8)} ${content}`];
        }),
      );
    const before = assets();
    for (const path of Object.keys(before)) {
      if (statSync(path).isFile()) writeFileSync(path, 'replaced');
      chmodSync(path, 0o700);
    }
    const mine = ['asset.png', 'bundles', 'PlantStore-notes.json'].map((name) => inCopy(`cdk.out/${name}`));
    for (const path of mine) writeFileSync(path, 'mine', { mode: 0o644 });
    chmodSync(inCopy('cdk.out'), 0o711);
    // The stages `local` and `dev` have source maps of the authorizer and of each operation.
    expect(sourceMaps()).toHaveLength(1 + operations.length);
    const context = 'stage=prod --context urgent=true';
    expect(await synth(context, `umask 077; ${withoutDefaultRules}`)).toMatchObject({ code: 0 });
    expect(mine.map((path) => readFileSync(path, 'utf8'))).toEqual(mine.map(() => 'mine'));
    expect(statSync(inCopy('cdk.out')).mode & 0o777).toBe(0o711);
    const after = assets();
    expect({ ...before, [inCopy('cdk.out/asset.png')]: '644 mine' }).toMatchObject(after);
    expect(Object.values(after).filter((each) => !/^(?:755 folder$|644 )/.test(each))).toEqual([]);
    expect(sourceMaps()).toEqual([]);
    // Others would name assets that are gone.
    const prod = inCopy('cdk.out/PlantStore-prod.template.json');
    expect(filesOf('cdk.out/*.template.json')).toEqual([prod]);
    expect(readFileSync(prod, 'utf8')).toContain('CodeDeployDefault.LambdaAllAtOnce');
  });

  it('fails on a finding of CDK’s default rules or of cdk-nag’s packs', async () => {
    const restores = [
      project.edit('infra/service-function.ts', 'Runtime.NODEJS_24_X', 'Runtime.NODEJS_12_X'),
      project.edit('infra/findings.ts', 'Serverless-LambdaTracing', 'Serverless-Other'),
      project.edit('infra/monitoring/alarms.ts', 'enforceSSL: true', 'enforceSSL: false'),
    ];
    const { code, output } = await synth('stage=prod');
    expect(code).toBe(1);
    expect(output).toContain("Runtime 'nodejs12.x' was deprecated");
    expect(output).toContain('AwsSolutions-SNS3');
    expect(output).toContain('Serverless-LambdaTracing');
    for (const restore of restores.toReversed()) restore();
  });
});

const operation = 'functions/list-plants/respond.ts';
const warned = [
  "import.meta.dirname === ''",
  '{ a: 1, a: 2 }',
  "import(process.env['A'] ?? '')",
  "eval('1')",
];
it.each<[what: string, file: string, text: string, replacement: string, place: RegExp]>([
  ['a syntax error', operation, 'export const', 'export conts', /respond\.ts:\d+:\d+/],
  ['a missing folder', 'infra/operations.ts', "folder: 'list-plants'", "folder: 'list'", /functions\/list\//],
  ['a setting of staging', 'infra/stages.ts', 'https://login.staging', 'http://login.staging', /"staging"/],
  ...warned.map((code): [string, string, string, string, RegExp] => [
    `a warning of ${code}`,
    operation,
    'const linkTo',
    `export const a = () => ${code};\nconst linkTo`,
    /respond\.ts:\d+:\d+:\n.*export const a/,
  ]),
])('a synthesis that fails on %s leaves no template', async (_, file, text, replacement, place) => {
  const restore = project.edit(file, text, replacement);
  const { code, output } = await run('bin/run cdk synth --quiet --strict');
  restore();
  expect([code, output]).toEqual([1, expect.stringMatching(place)]);
  expect(filesOf('cdk.out/*.template.json')).toEqual([]);
});

it.each(['synth', 'deploy -- PlantStore-prod'])(
  'npm run %s names the line of a setting that no stage can have',
  async (command) => {
    const restore = project.edit('infra/stages.ts', "release: 'canary'", "release: 'canry'");
    const { code, output } = await run(`npm run -s ${command}`);
    restore();
    expect([code, output]).toEqual([1, expect.stringMatching(/^infra\/stages\.ts\(\d+,.*canry/)]);
  },
);

it.each([
  ['bin/run cdk deploy --exclusively --context stage=x', /^There is no stage "x": .*dev-anna\.$/],
  [
    `CDK_CONTEXT_JSON='{"urgent":"yes"}' bin/run node infra/app.ts`,
    /^The context "urgent" must be true or false\.$/,
  ],
  [
    `ISSUER_PORT=x CDK_CONTEXT_JSON='{"stage":"local"}' bin/run node infra/app.ts`,
    /^Stage "local": tokens\.issuer must be https.*\.$/,
  ],
])('says in one line what is wrong: %s', async (command, sentence) => {
  const { code, output } = await run(command);
  // CDK adds that the app failed.
  const lines = linesWithoutNpm(output).filter((line) => !line.endsWith('Subprocess exited with error 1'));
  expect([code, lines]).toEqual([1, [expect.stringMatching(sentence)]]);
});

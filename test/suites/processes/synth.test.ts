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

/** Environment variables with secrets of a deployment, and without a complete login to AWS. */
const environment = {
  ...Object.fromEntries(
    ['AWS_SESSION_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'TOKEN'].map((name) => [name, 'a-secret']),
  ),
  ...{ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: 'a-secret' },
  AWS_EC2_METADATA_DISABLED: 'true',
};
const run = (command: string) => runCommand('sh', project.folder, ['-c', command], environment).ended;
/** Synthesizes as `npm run synth` does, but without the check of types. */
const synth = (context: string, prefix = '') =>
  run(`${prefix} bin/run cdk synth --quiet --strict --context ${context}`);
/** Skips CDK's default rules, which take most of a synthesis. A test of `npm run synth` applies them. */
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

  const sourceMaps = () => filesOf('cdk.out/asset.*/index.js.map');

  it('makes source maps of the authorizer and of each operation for the stages local and dev', () => {
    expect(sourceMaps()).toHaveLength(1 + operations.length);
  });

  describe('for an urgent release of prod with umask 077, after files of cdk.out were changed,', () => {
    const userFiles = ['asset.png', 'bundles', 'PlantStore-notes.json'].map((name) =>
      inCopy(`cdk.out/${name}`),
    );
    /** The mode and content of each file and folder of the assets. */
    const assets = (): ReadonlyMap<string, { readonly mode: number; readonly content: string }> =>
      new Map(
        filesOf('cdk.out/{asset.*,asset.*/**}')
          .filter((path) => !userFiles.includes(path))
          .map((path) => {
            const stats = statSync(path);
            const content = stats.isFile() ? readFileSync(path, 'utf8') : 'folder';
            return [path, { mode: stats.mode & 0o777, content }];
          }),
      );
    let assetsBefore: ReturnType<typeof assets>;
    beforeAll(async () => {
      assetsBefore = assets();
      for (const path of assetsBefore.keys()) {
        if (statSync(path).isFile()) writeFileSync(path, 'changed');
        chmodSync(path, 0o700);
      }
      for (const path of userFiles) writeFileSync(path, 'of the user', { mode: 0o644 });
      chmodSync(inCopy('cdk.out'), 0o711);
      const context = 'stage=prod --context urgent=true';
      const { code, output } = await synth(context, `umask 077; ${withoutDefaultRules}`);
      expect(code, output).toBe(0);
    });

    it('makes one template, without a canary, and no source maps', () => {
      // Templates of other stages are removed, because they would name assets that were deleted.
      const template = inCopy('cdk.out/PlantStore-prod.template.json');
      expect(filesOf('cdk.out/*.template.json')).toEqual([template]);
      expect(readFileSync(template, 'utf8')).toContain('CodeDeployDefault.LambdaAllAtOnce');
      expect(sourceMaps()).toEqual([]);
    });

    it('replaces changed bundles with the same ones as before, which Lambda can read', () => {
      const changed = [...assets()].filter(([path, { mode, content }]) => {
        const before = assetsBefore.get(path);
        return before?.mode !== mode || before.content !== content;
      });
      expect(changed).toEqual([]);
      const modes = [...assets().values()].map(({ mode, content }) => [content === 'folder', mode] as const);
      expect(modes.filter(([isFolder, mode]) => mode !== (isFolder ? 0o755 : 0o644))).toEqual([]);
    });

    it('keeps the mode of cdk.out, and files of the user there', () => {
      expect(userFiles.map((path) => readFileSync(path, 'utf8'))).toEqual(userFiles.map(() => 'of the user'));
      expect(statSync(inCopy('cdk.out')).mode & 0o777).toBe(0o711);
    });
  });

  it('fails on findings of CDK’s default rules and of two packs of cdk-nag, and prints them', async () => {
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

const respondFile = 'functions/list-plants/respond.ts';
/** Expressions about which esbuild warns. */
const expressionsWithWarning = [
  "import.meta.dirname === ''",
  '{ a: 1, a: 2 }',
  "import(process.env['A'] ?? '')",
  "eval('1')",
];
it.each<[problem: string, file: string, text: string, replacement: string, place: RegExp]>([
  ['a syntax error', respondFile, 'export const', 'export conts', /respond\.ts:\d+:\d+/],
  [
    'a missing folder of an operation',
    'infra/operations.ts',
    "folder: 'list-plants'",
    "folder: 'list'",
    /functions\/list\//,
  ],
  [
    'an invalid setting of staging',
    'infra/stages.ts',
    'https://login.staging',
    'http://login.staging',
    /"staging"/,
  ],
  ...expressionsWithWarning.map((expression): [string, string, string, string, RegExp] => [
    `a warning about ${expression}`,
    respondFile,
    'const linkTo',
    `export const a = () => ${expression};\nconst linkTo`,
    /respond\.ts:\d+:\d+:\n.*export const a/,
  ]),
])(
  'cdk synth fails on %s, names the place, and leaves no template',
  async (_, file, text, replacement, place) => {
    const restore = project.edit(file, text, replacement);
    const { code, output } = await run('bin/run cdk synth --quiet --strict');
    restore();
    expect([code, output]).toEqual([1, expect.stringMatching(place)]);
    expect(filesOf('cdk.out/*.template.json')).toEqual([]);
  },
);

it.each(['synth', 'deploy -- PlantStore-prod'])(
  'npm run %s names the line of a setting that no stage can have',
  async (command) => {
    const restore = project.edit('infra/stages.ts', "release: 'canary'", "release: 'canry'");
    const { code, output } = await run(`npm run -s ${command}`);
    restore();
    expect([code, output]).toEqual([1, expect.stringMatching(/^infra\/stages\.ts\(\d+,.*canry/)]);
  },
);

it.each<[problem: string, command: string, sentence: RegExp]>([
  [
    'an unknown stage',
    'bin/run cdk deploy --exclusively --context stage=x',
    /^There is no stage "x": .*dev-anna\.$/,
  ],
  [
    'an invalid value of urgent',
    `CDK_CONTEXT_JSON='{"urgent":"yes"}' bin/run node infra/app.ts`,
    /^The context "urgent" must be true or false\.$/,
  ],
  [
    'an invalid ISSUER_PORT',
    `ISSUER_PORT=x CDK_CONTEXT_JSON='{"stage":"local"}' bin/run node infra/app.ts`,
    /^Stage "local": tokens\.issuer must be https.*\.$/,
  ],
])('the CDK app refuses %s with one line', async (_, command, sentence) => {
  const { code, output } = await run(command);
  // The CDK CLI adds a line about the exit code of the app.
  const lines = linesWithoutNpm(output).filter((line) => !line.endsWith('Subprocess exited with error 1'));
  expect([code, lines]).toEqual([1, [expect.stringMatching(sentence)]]);
});

import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stages } from '../../../infra/stages.ts';
import { operations } from '../../support/operations.ts';
import { copyProject, npm, type ProjectCopy, runCommand } from '../../support/service/local-service.ts';

const run = promisify(execFile);

let project: ProjectCopy;
beforeAll(() => {
  project = copyProject();
});
afterAll(() => {
  project.remove();
});

const npmRun = async (...parameters: readonly string[]): Promise<{ code: number | null; output: string }> =>
  npm(project.folder, ['run', ...parameters], secrets).ended;

/** Secrets in the environment of a deployment. */
const secrets = Object.fromEntries(
  ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'TOKEN'].map((name) => [
    name,
    `secret-of-${name}`,
  ]),
);

/** The folders of the functions of one stage: those with source maps. */
const bundledFunctions = (): readonly string[] =>
  globSync('cdk.out/asset.*/index.js.map', { cwd: project.folder }).map((map) =>
    join(project.folder, dirname(map)),
  );

/** Calls a bundle's handler once and prints which modules of Node.js are loaded afterwards. */
const invokeAndListModules = `
  const [file, event] = process.argv.slice(1);
  Promise.resolve(require(file).handler(JSON.parse(event), {}))
    .catch(() => undefined)
    .finally(() => console.log(process.moduleLoadList.join(' ')));`;

describe('npm run synth', () => {
  let synthesis: Awaited<ReturnType<typeof npmRun>>;
  beforeAll(async () => {
    synthesis = await npmRun('synth');
  });

  it('prints no warning for any stage', () => {
    expect(synthesis.code).toBe(0);
    expect(synthesis.output).toContain('PlantStore-prod');
    expect(synthesis.output).not.toMatch(/warn|error|deprecat/i);
  });

  it('changes no resource for a sentence in the README or the runbook', async () => {
    const resources = (): unknown =>
      z
        .looseObject({ Resources: z.record(z.string(), z.unknown()) })
        .parse(
          JSON.parse(readFileSync(join(project.folder, 'cdk.out/PlantStore-prod.template.json'), 'utf8')),
        ).Resources;
    const before = resources();
    // The copy has neither, so each is a sentence that was not there.
    mkdirSync(join(project.folder, 'docs'));
    for (const file of ['README.md', 'docs/runbook.md'])
      writeFileSync(join(project.folder, file), 'One more sentence.\n');
    expect(await npmRun('synth', '--', '--context', 'stage=prod')).toMatchObject({ code: 0 });
    expect(resources()).toEqual(before);
  });

  it('puts no secret of its environment into the assembly', () => {
    const assembly = join(project.folder, 'cdk.out');
    const files = readdirSync(assembly, { recursive: true, encoding: 'utf8' })
      .map((file) => join(assembly, file))
      .filter((file) => statSync(file).isFile());
    expect(files).toContainEqual(expect.stringMatching(/PlantStore-prod\.template\.json$/));
    expect(files.filter((file) => readFileSync(file, 'utf8').includes('secret-of-'))).toEqual([]);
  });

  it('gives a reason for each rule that a resource does not follow, and for none of a whole stack', () => {
    const rule = z.object({ id: z.string(), reason: z.string().optional(), comment: z.string().optional() });
    for (const { name } of stages) {
      const file = join(project.folder, `cdk.out/PlantStore-${name}.template.json`);
      const text = readFileSync(file, 'utf8');
      // A skip of the template would end checkov's whole search for secrets.
      expect(JSON.parse(text)).not.toHaveProperty('Metadata');
      const rules = [...text.matchAll(/\{\s*"(?:id|reason|comment)":[^{}]*\}/g)].map(([each]) =>
        rule.parse(JSON.parse(each)),
      );
      expect(rules.length).toBeGreaterThan(10);
      for (const { id, reason, comment = reason } of rules) expect(comment, id).toMatch(/^[A-Z][^.]{40,}\.$/);
    }
  });

  it('writes no bundle that another user can change, also in place of an earlier one', async () => {
    const assets = globSync('cdk.out/asset.*', { cwd: project.folder }).map((asset) =>
      join(project.folder, asset),
    );
    const writable = (): readonly string[] =>
      globSync('cdk.out/{asset.*,asset.*/**}', { cwd: project.folder }).filter(
        (entry) => (statSync(join(project.folder, entry)).mode & 0o022) !== 0,
      );
    expect(assets.length).toBeGreaterThan(2);
    expect(writable()).toEqual([]);

    const [bundle = ''] = bundledFunctions();
    const code = readFileSync(join(bundle, 'index.js'), 'utf8');
    // A umask that forbids nothing, and one that leaves nothing to others.
    for (const [umask, mode] of [
      ['000', 0o755],
      ['077', 0o700],
    ] as const) {
      chmodSync(bundle, 0o777);
      writeFileSync(join(bundle, 'index.js'), 'replaced');
      writeFileSync(join(bundle, 'added.js'), '');
      const synth = `umask ${umask} && npm run synth -- --context stage=local`;
      expect(await runCommand('sh', project.folder, ['-c', synth], secrets).ended).toMatchObject({ code: 0 });
      expect(readFileSync(join(bundle, 'index.js'), 'utf8')).toBe(code);
      expect(readdirSync(bundle)).not.toContain('added.js');
      expect(writable()).toEqual([]);
      expect(statSync(bundle).mode & 0o777).toBe(mode);
    }
  });

  it('bundles each function small, only from its own sources, shared ones and libraries', () => {
    const folders = bundledFunctions().map((folder) => {
      const { sources } = z
        .object({ sources: z.array(z.string()) })
        .parse(JSON.parse(readFileSync(join(folder, 'index.js.map'), 'utf8')));
      const own = sources.filter((source) => !source.includes('node_modules/'));
      return {
        from: [...new Set(own.map((source) => /functions\/[^/]+|table/.exec(source)?.[0] ?? source))].sort(),
        bytes: statSync(join(folder, 'index.js')).size,
      };
    });
    const rooms = ['functions/http', 'functions/plant-store', 'functions/shared', 'table'];
    expect(folders.map(({ from }) => from).sort()).toEqual(
      [
        ['functions/authorizer', 'functions/shared', 'table'],
        ...operations.map(({ folder }) => [...rooms, `functions/${folder}`].sort()),
      ].sort(),
    );
    const sizeOf = (folder: string): number =>
      folders.find(({ from }) => from.includes(folder))?.bytes ?? Infinity;
    expect(sizeOf('functions/list-plants')).toBeLessThan(24_000);
    expect(sizeOf('functions/authorizer')).toBeLessThan(13_000);
  });

  it('bundles functions that run without undici, which costs 20 ms of a cold start', async () => {
    const environment = {
      PATH: process.env['PATH'] ?? '',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      TABLE_NAME: 'plants',
      AWS_ENDPOINT_URL_DYNAMODB: 'https://127.0.0.1:1',
      TOKEN_PROFILE: 'rfc9068',
      TOKEN_ISSUER: 'https://127.0.0.1:1',
      AUDIENCE: 'plant-store',
      TOKEN_ALGORITHMS: 'RS256',
      GROUPS_CLAIM: 'groups',
      JWKS_URI: 'https://127.0.0.1:1',
    };
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    // Both try to reach the network, where nothing answers.
    const event = {
      requestContext: { authorizer: { lambda: { subject: 'alice', groups: [], expiresAt: 4e9 } } },
      identitySource: [`Bearer ${part({ alg: 'RS256', kid: 'k' })}.${part({})}.AA`],
    };
    // The bundles are CommonJS; on Lambda there is no package.json beside them.
    writeFileSync(join(project.folder, 'cdk.out/package.json'), '{"type":"commonjs"}');
    const bundles = bundledFunctions();
    expect(bundles).toHaveLength(1 + operations.length);
    for (const folder of bundles) {
      const { stdout } = await run(
        process.execPath,
        ['-e', invokeAndListModules, join(folder, 'index.js'), JSON.stringify(event)],
        { env: environment },
      );
      const loaded = stdout.trim().split('\n').at(-1) ?? '';
      expect(loaded).toContain('https');
      expect(loaded).not.toContain('undici');
    }
  });

  it('refuses a stage with a wrong setting in one sentence', async () => {
    const restore = project.edit('infra/stages.ts', 'memoryMb: {}', 'memoryMb: { Authorizer: 64 }');
    try {
      const { code, output } = await npmRun('synth');
      expect(code).toBe(1);
      expect(output).toMatch(/^Stage "local": memoryMb\.Authorizer: .*128/m);
      expect(output).not.toMatch(/^\s+at /m);
    } finally {
      restore();
    }
  });

  it('fails on a finding of CDK’s default rules or of cdk-nag’s packs', async () => {
    const restores = [
      project.edit('infra/service-function.ts', 'Runtime.NODEJS_24_X', 'Runtime.NODEJS_12_X'),
      project.edit('infra/exemptions.ts', 'Serverless-LambdaTracing', 'Serverless-Other'),
      project.edit('infra/monitoring/notifications.ts', 'enforceSSL: true', 'enforceSSL: false'),
    ];
    try {
      const { code, output } = await npmRun('synth', '--', '--context', 'stage=prod');
      expect(code).toBe(1);
      expect(output).toContain("Runtime 'nodejs12.x' was deprecated");
      expect(output).toContain('AwsSolutions-SNS3');
      expect(output).toContain('Serverless-LambdaTracing');
    } finally {
      for (const restore of restores.toReversed()) restore();
    }
  });
});

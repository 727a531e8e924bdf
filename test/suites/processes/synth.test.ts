import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stages } from '../../../infra/stages.ts';
import { copyProject, npm, runCommand } from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

const npmRun = async (...parameters: readonly string[]): Promise<{ code: number | null; output: string }> =>
  npm(project.folder, ['run', ...parameters], secrets).ended;

/** Secrets in the environment of a deployment. */
const secrets = Object.fromEntries(
  ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'TOKEN'].map((name) => [
    name,
    `secret-of-${name}`,
  ]),
);

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
      globSync(['cdk.out', 'cdk.out/{asset.*,asset.*/**}'], { cwd: project.folder }).filter(
        (entry) => (statSync(join(project.folder, entry)).mode & 0o022) !== 0,
      );
    expect(assets.length).toBeGreaterThan(2);
    expect(writable()).toEqual([]);

    const [map = ''] = globSync('cdk.out/asset.*/index.js.map', { cwd: project.folder });
    const bundle = join(project.folder, dirname(map));
    const code = readFileSync(join(bundle, 'index.js'), 'utf8');
    // A umask that forbids nothing, and one that leaves nothing to others.
    for (const [open, umask, mode] of [
      [bundle, '000', 0o755],
      [join(project.folder, 'cdk.out'), '077', 0o700],
    ] as const) {
      chmodSync(open, 0o777);
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

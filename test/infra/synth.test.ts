import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { copyProject, npm, type ProjectCopy } from '../support/local-service.ts';

let project: ProjectCopy;
beforeAll(() => {
  project = copyProject();
});
afterAll(() => {
  project.remove();
});

const run = async (...parameters: readonly string[]): Promise<{ code: number | null; output: string }> =>
  npm(project.folder, ['run', ...parameters]).ended;

describe('npm run synth', () => {
  it('bundles each function small, from its own and shared sources and libraries alone', async () => {
    expect(await run('synth')).toMatchObject({ code: 0 });
    const assembly = join(project.folder, 'cdk.out');
    const bundles = readdirSync(assembly)
      .filter((name) => name.startsWith('asset.'))
      .map((name) => join(assembly, name))
      .filter((folder) => readdirSync(folder).includes('index.js.map'));
    const folders = bundles.map((folder) => {
      const { sources } = z
        .object({ sources: z.array(z.string()) })
        .parse(JSON.parse(readFileSync(join(folder, 'index.js.map'), 'utf8')));
      const own = sources.filter((source) => !source.includes('node_modules/'));
      return {
        from: [...new Set(own.map((source) => source.replace(/^.*?([^/]+\/[^/]+)\/[^/]+$/, '$1')))].sort(),
        bytes: statSync(join(folder, 'index.js')).size,
      };
    });
    expect(folders.map(({ from }) => from).sort()).toEqual([
      ['functions/authorizer', 'functions/shared'],
      ['functions/list-plants', 'functions/shared'],
    ]);
    const sizeOf = (folder: string): number =>
      folders.find(({ from }) => from.includes(folder))?.bytes ?? Infinity;
    expect(sizeOf('functions/list-plants')).toBeLessThan(26_000);
    expect(sizeOf('functions/authorizer')).toBeLessThan(25_000);
  });

  it.each([
    ['memoryMb: 256', 'memoryMb: 64', 'Stage "local": authorizer.memoryMb must be at least 128 (MB).'],
    [
      "https://login.example.com/'",
      "http://login.example.com/'",
      'Stage "prod": tokens.issuer must be an https URL.',
    ],
  ])('refuses %s changed to %s in one sentence', async (text, replacement, sentence) => {
    const restore = project.edit('infra/stages.ts', text, replacement);
    try {
      const { code, output } = await run('synth');
      expect(code).toBe(1);
      expect(output).toContain(sentence);
      expect(output).not.toMatch(/^\s+at /m);
    } finally {
      restore();
    }
  });

  it('fails on a finding of CDK’s default rules', async () => {
    const restore = project.edit('infra/service-function.ts', 'Runtime.NODEJS_24_X', 'Runtime.NODEJS_12_X');
    try {
      const { code, output } = await run('synth', '--', 'PlantStore-dev', '--exclusively');
      expect(code).toBe(1);
      expect(output).toContain("Runtime 'nodejs12.x' was deprecated");
    } finally {
      restore();
    }
  });
});

describe('npm run deploy', () => {
  it('refuses a stage that does not exist', async () => {
    const { code, output } = await run('deploy', '--', 'PlantStore-x');
    expect(code).toBe(1);
    expect(output).toMatch(/No stacks match the name\(s\) PlantStore-x/);
  });
});

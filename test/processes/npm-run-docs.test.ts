import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject, npm, type ProjectCopy } from '../support/local-service.ts';

let project: ProjectCopy;
beforeAll(() => {
  project = copyProject();
});
afterAll(() => {
  project.remove();
});

const docs = (...parameters: readonly string[]): Promise<{ code: number | null; output: string }> =>
  npm(project.folder, ['run', '-s', 'docs', '--', ...parameters]).ended;

const written = (name: string): string => readFileSync(join(project.folder, 'docs-site', name), 'utf8');

describe('npm run docs', () => {
  it('writes the page, openapi.yaml unchanged, and the licence of Swagger UI', async () => {
    const { code, output } = await docs();
    expect([code, output]).toEqual([0, expect.stringMatching(/^.*docs-site.*\n$/)]);
    expect(written('openapi.yaml')).toBe(readFileSync(join(project.folder, 'openapi.yaml'), 'utf8'));
    expect(written('swagger-ui-licence/LICENSE')).toContain('Apache License');
    const loaded = [...written('index.html').matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, name = '']) => name,
    );
    expect(loaded).toEqual(['data:,', 'swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'page.js']);
    for (const name of loaded.slice(1)) expect(written(name)).not.toBe('');
  });

  it('fills in the address of the service', async () => {
    expect((await docs('--base-url', 'https://plants.example/dev')).code).toBe(0);
    expect(written('openapi.yaml')).toContain('default: https://plants.example/dev\n');
  });

  it.each([
    [['--base-url']],
    [['--base-url', 'plants.example']],
    [['--base-url', 'file:///plants']],
    [['here']],
  ])('refuses the arguments %j in one line', async (parameters) => {
    const { code, output } = await docs(...parameters);
    expect([code, output]).toEqual([1, expect.stringMatching(/^Usage: npm run docs .*\n$/)]);
  });
});

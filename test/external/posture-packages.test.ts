import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../local/listen.ts';

/** What the registry answers to the question for advisories. */
let advisories = { status: 200, body: {} };
const registry = createServer((request, response) => {
  const { status, body } = request.method === 'POST' ? advisories : { status: 404, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
let registryUrl: string;
beforeAll(async () => {
  registryUrl = `http://127.0.0.1:${String(await listen(registry, 0, 'PORT'))}`;
});
beforeEach(() => {
  advisories = { status: 200, body: {} };
});
afterAll(() => {
  registry.close().closeAllConnections();
});

const runAudit = async (folder: string): Promise<{ code: number | null; lines: readonly string[] }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../audit.ts', import.meta.url))], {
    cwd: folder,
    env: { ...process.env, npm_config_registry: registryUrl, npm_config_fetch_retries: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, lines: output.trimEnd().split('\n') };
};

/** Runs it in a project that ships one package and builds with another. */
const auditOf = async (
  shipped: object,
  build: object,
): Promise<{ code: number | null; lines: readonly string[] }> => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const write = (file: string, value: object): void => {
    writeFileSync(join(folder, file), JSON.stringify(value));
  };
  const project = {
    name: 'project',
    version: '1.0.0',
    dependencies: { shipped: '1.0.0' },
    devDependencies: { tool: '1.0.0' },
  };
  try {
    write('package.json', project);
    write('package-lock.json', {
      ...project,
      lockfileVersion: 3,
      packages: {
        '': project,
        'node_modules/shipped': { version: '1.0.0' },
        'node_modules/tool': { version: '1.0.0', dev: true },
      },
    });
    for (const [name, manifest] of Object.entries({ shipped, tool: build })) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      write(`node_modules/${name}/package.json`, { name, version: '1.0.0', ...manifest });
    }
    return await runAudit(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe('npm run audit', () => {
  it('finds every package of this project under a licence that is allowed', async () => {
    const { code, lines } = await runAudit(fileURLToPath(new URL('../..', import.meta.url)));
    expect(lines.at(-1)).toBe('No known vulnerabilities.');
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^ship {3}MIT +jose@/));
    expect(lines).toContainEqual(expect.stringMatching(/^build {2}Apache-2\.0 +aws-cdk-lib@/));
  });

  it('allows a tool licences that it does not allow what is shipped', async () => {
    expect(await auditOf({ license: 'MIT' }, { license: 'MPL-2.0' })).toMatchObject({ code: 0 });
    const { code, lines } = await auditOf({ license: 'MPL-2.0' }, { licenses: [{ type: 'MIT' }] });
    expect(code).toBe(1);
    expect(lines.filter((line) => line.includes('not one to'))).toEqual([
      'shipped@1.0.0: its licence, MPL-2.0, is not one to ship with. Replace it, or allow it in test/audit.ts.',
    ]);
  });

  it('refuses a package that names no licence', async () => {
    const { code, lines } = await auditOf({ license: 'MIT' }, {});
    expect(code).toBe(1);
    expect(lines).toContain(
      'tool@1.0.0: its licence, no licence, is not one to build with. Replace it, or allow it in test/audit.ts.',
    );
  });

  it('names what is known to be vulnerable', async () => {
    const advisory = {
      id: 1,
      url: 'https://example.com/advisory',
      title: 'Plants wither',
      severity: 'high',
      vulnerable_versions: '<2.0.0',
    };
    advisories = { status: 200, body: { shipped: [advisory] } };
    const { code, lines } = await auditOf({ license: 'MIT' }, { license: 'MIT' });
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe(
      'shipped <2.0.0 is vulnerable (high): Plants wither, https://example.com/advisory',
    );
  });

  it('does not pass where the registry cannot tell', async () => {
    advisories = { status: 405, body: {} };
    const { code, lines } = await auditOf({ license: 'MIT' }, { license: 'MIT' });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(
      /^The registry does not support npm audit \(405 .+\)\. Use one that does\.$/,
    );
  });
});

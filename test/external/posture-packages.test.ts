import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../local/listen.ts';
import { runTool } from './tool.ts';

const audit = fileURLToPath(new URL('../audit.ts', import.meta.url));

/** The registry's response to a request for advisories. */
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

interface Audit {
  readonly succeeded: boolean;
  readonly lines: readonly string[];
}

const runAudit = async (folder: string): Promise<Audit> => {
  const { succeeded, output } = await runTool(process.execPath, [audit], {
    cwd: folder,
    env: { ...process.env, npm_config_registry: registryUrl, npm_config_fetch_retries: '0' },
  });
  return { succeeded, lines: output.trimEnd().split('\n') };
};

/** Runs the audit in a project that ships one package and builds with another. */
const auditOf = async (shipped: object, build: object): Promise<Audit> => {
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
  it('finds every package of this project under an allowed licence', async () => {
    const { succeeded, lines } = await runAudit(fileURLToPath(new URL('../..', import.meta.url)));
    expect([succeeded, lines.at(-1)]).toEqual([true, expect.stringContaining('vulnerable')]);
    expect(lines).toContainEqual(expect.stringMatching(/^ship {3}MIT +@middy\/core@/));
    expect(lines).toContainEqual(expect.stringMatching(/^build {2}Apache-2\.0 +aws-cdk-lib@/));
  });

  it('allows licences for a tool that it does not allow for what is shipped', async () => {
    expect(await auditOf({ license: 'MIT' }, { license: 'MPL-2.0' })).toMatchObject({ succeeded: true });
    const { succeeded, lines } = await auditOf({ license: 'MPL-2.0' }, { licenses: [{ type: 'MIT' }] });
    expect(succeeded).toBe(false);
    expect(lines.filter((line) => line.includes('audit.ts'))).toEqual([
      expect.stringMatching(/^shipped@1\.0\.0\b.*MPL-2\.0\b.*ship/),
    ]);
  });

  it('refuses a package that names no licence', async () => {
    const { succeeded, lines } = await auditOf({ license: 'MIT' }, {});
    expect(succeeded).toBe(false);
    expect(lines).toContainEqual(expect.stringMatching(/^tool@1\.0\.0\b.*no licence\b.*build/));
  });

  it('names vulnerable packages', async () => {
    const advisory = {
      id: 1,
      url: 'https://example.com/advisory',
      title: 'Plants wither',
      severity: 'high',
      vulnerable_versions: '<2.0.0',
    };
    advisories = { status: 200, body: { shipped: [advisory] } };
    const { succeeded, lines } = await auditOf({ license: 'MIT' }, { license: 'MIT' });
    expect(succeeded).toBe(false);
    expect(lines.at(-1)).toMatch(/^shipped <2\.0\.0 .*high.*Plants wither.*https:\/\/example\.com\/advisory/);
  });

  it('fails when the registry has no advisories', async () => {
    advisories = { status: 405, body: {} };
    const { succeeded, lines } = await auditOf({ license: 'MIT' }, { license: 'MIT' });
    expect(succeeded).toBe(false);
    expect(lines.at(-1)).toMatch(/registry\b.*\b405\b.*npm audit/);
  });
});

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { runTool } from '../tool.ts';

const audit = fileURLToPath(new URL('../../../tools/audit.ts', import.meta.url));

/** The registry's response to a request for advisories. */
let advisories = { status: 200, body: {} };
const registry = createServer((request, response) => {
  const { status, body } = request.method === 'POST' ? advisories : { status: 404, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
let registryUrl: string;
beforeAll(async () => {
  registryUrl = await startServer(registry);
  return () => stopServer(registry);
});
beforeEach(() => {
  advisories = { status: 200, body: {} };
});

const runAudit = async () => {
  const { succeeded, output } = await runTool(process.execPath, [audit], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...process.env, npm_config_registry: registryUrl, npm_config_fetch_retries: '0' },
  });
  return { succeeded, lines: output.trimEnd().split('\n') };
};

describe('npm run audit', () => {
  it('finds every package of this project under an allowed licence', async () => {
    const { succeeded, lines } = await runAudit();
    expect([succeeded, lines.at(-1)]).toEqual([true, expect.stringContaining('vulnerable')]);
    expect(lines).toContainEqual(expect.stringMatching(/^ship {3}MIT +@middy\/core@/));
    expect(lines).toContainEqual(expect.stringMatching(/^build {2}Apache-2\.0 +aws-cdk-lib@/));
  });

  it('fails when the registry reports a vulnerable package, and names it', async () => {
    const advisory = {
      id: 1,
      url: 'https://example.com/1',
      title: 'Plants wither',
      severity: 'high',
      vulnerable_versions: '*',
    };
    advisories = { status: 200, body: { zod: [advisory] } };
    const { succeeded, lines } = await runAudit();
    expect([succeeded, lines.at(-1)]).toEqual([
      false,
      expect.stringMatching(/^zod \* .*high.*Plants wither/),
    ]);
  });

  it('fails when the registry does not serve advisories', async () => {
    advisories = { status: 405, body: {} };
    const { succeeded, lines } = await runAudit();
    expect(succeeded).toBe(false);
    expect(lines.at(-1)).toMatch(/registry\b.*\b405\b.*npm audit/);
  });
});

import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../../local/listen.ts';
import { ownLines } from '../../support/lines.ts';
import { readDocument } from '../../support/markdown.ts';
import { copyProject, freePorts, npm, type ProjectCopy } from '../../support/service/local-service.ts';

let project: ProjectCopy;
beforeEach(() => {
  project = copyProject();
});
afterEach(() => {
  project.remove();
});

const failedStart = async (
  environment: Readonly<Record<string, string>> = {},
  parameters: readonly string[] = [],
): Promise<string> => {
  const { code, output } = await npm(project.folder, ['start', '--', ...parameters], {
    ...freePorts,
    ...environment,
  }).ended;
  expect(code, output).toBe(1);
  const lines = ownLines(output).filter((line) => !line.endsWith('…'));
  expect(lines, output).toHaveLength(1);
  return lines[0] ?? '';
};

describe('npm start reports in one line', () => {
  it.each(['PORT', 'STORE_PORT', 'ISSUER_PORT'])('that %s is in use', async (variable) => {
    const other = createServer();
    const port = String(await listen(other, 0, variable));
    try {
      expect(await failedStart({ [variable]: port })).toMatch(
        new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use\\. .*${variable}\\b`),
      );
    } finally {
      other.close();
    }
  });

  it.each([
    ['PORT', '70000', /^PORT .*0 to 65535.*"70000"/],
    ['ADDRESS', 'plants.example.com', /^ADDRESS .*IPv4 .*"/],
    ['ADDRESS', '203.0.113.1', /^Port 0 of 203\.0\.113\.1 .*ADDRESS/],
    ['ADDRESS', '', /^ADDRESS .*IPv4 .*""/],
    [
      'AWS_ENDPOINT_URL_DYNAMODB',
      'localhost:8000',
      /^AWS_ENDPOINT_URL_DYNAMODB .*http:\/\/ or https:\/\/.*"localhost:8000"/,
    ],
    ['AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:1', /^The store at http:\/\/127\.0\.0\.1:1 /],
  ])('that %s is "%s", which cannot be used', async (name, value, message) => {
    expect(await failedStart({ [name]: value })).toMatch(message);
  });

  it.each([[['--port', '4111']], [['4111']]])('that it takes no arguments, when given %j', async (given) => {
    expect(await failedStart({}, given)).toMatch(/^Unknown argument "[^"]+"\. .*npm start -- --help/);
  });

  it('none of this for --help, which prints every documented setting', async () => {
    const { code, output } = await npm(project.folder, ['start', '--', '--help']).ended;
    const [settings = ''] = /^## Settings\n(.*?)^## /ms.exec(readDocument('docs/local-service.md')) ?? [];
    const names = [...settings.matchAll(/`([A-Z_]+)`(?=.* \|)/g)].map(([, name]) => name ?? '');
    expect(names).toContain('PORT');
    expect([code, names.filter((name) => !new RegExp(`\\b${name}\\b`).test(output))]).toEqual([0, []]);
  });

  it('that a function does not parse, and where', async () => {
    project.edit(
      'functions/list-plants/limit.ts',
      'export const parseLimit',
      'export const const parseLimit',
    );
    expect(await failedStart()).toMatch(/^functions\/list-plants\/limit\.ts:\d+:\d+: .+\.$/);
  });

  it('that a stage has a wrong setting, and where', async () => {
    project.edit('infra/stages.ts', 'memoryMb: {}', 'memoryMb: { Authorizer: 64 }');
    expect(await failedStart()).toMatch(
      /^infra\/stage\.ts:\d+:\d+: Stage "local": memoryMb\.Authorizer: .*128.*\.$/,
    );
  });
});

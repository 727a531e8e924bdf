// Starts that fail with one line, and `npx cdk` with an old Node.js.
import { rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ownLines } from '../../support/lines.ts';
import { copyProject, freePorts, npm, runCommand } from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

/** The only line that a start prints before it ends with code 1, apart from those about its progress. */
const failedStart = async (parameters: readonly string[] = [], environment = {}): Promise<string> => {
  const ports = { ...freePorts, ...environment };
  const { code, output } = await npm(project.folder, ['start', '--', ...parameters], ports).ended;
  const lines = ownLines(output).filter((line) => !line.endsWith('…'));
  expect([code, lines.length], output).toEqual([1, 1]);
  return lines.join();
};

it('npm start says that it takes no arguments', async () => {
  expect(await failedStart(['--port', '4111'])).toMatch(/^Unknown argument "--port"\. .*npm start -- --help/);
});

it.each([
  [
    'a function does not parse',
    'functions/list-plants/respond.ts',
    ['export const parseLimit', 'export const const parseLimit'],
    /^functions\/list-plants\/respond\.ts:\d+:\d+: .+\.$/,
  ],
  [
    'a stage has a wrong setting',
    'infra/stages.ts',
    ["data: 'disposable'", "data: 'disposable', account: '1'"],
    /^infra\/stage\.ts:\d+:\d+: Stage "local": account .*\.$/,
  ],
] as const)('npm start says where %s', async (_, file, [text, replacement], message) => {
  const restore = project.edit(file, text, replacement);
  expect(await failedStart()).toMatch(message);
  restore();
});

/** A `node` that rejects TypeScript as version 20 does, first in the PATH. */
const oldNode = `#!/bin/sh
for each; do
  case $each in
    -*) ;;
    *.ts) echo ERR_UNKNOWN_FILE_EXTENSION >&2; exit 1 ;;
    *) break ;;
  esac
done
exec '${process.execPath}' "$@"
`;
writeFileSync(join(project.folder, 'node'), oldNode, { mode: 0o755 });
const others = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
const withOldNode = { PATH: [project.folder, ...others].join(delimiter) };

it('npx cdk runs the app with an old Node.js', async () => {
  const list = ['-c', 'npx cdk ls --context stage=dev'];
  const { code, output } = await runCommand('sh', project.folder, list, withOldNode).ended;
  expect(output).toMatch(/^PlantStore-dev$/m);
  expect(code).toBe(0);
});

it('npm start says in one line what to run when packages are not installed', async () => {
  rmSync(join(project.folder, 'node_modules'));
  expect(await failedStart([], withOldNode)).toBe(
    "This project's packages are not installed. Run npm ci first. " +
      'If settings of npm exclude some: npm ci --include=dev --ignore-scripts=false',
  );
});

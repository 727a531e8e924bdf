// The documented commands on a machine with an old Node.js, and before `npm ci`.
import { rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ownLines } from '../../support/lines.ts';
import { copyProject, npm, runCommand } from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

/** A `node` that refuses TypeScript as version 20 does, before the machine's other programs. */
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
const environment = { PATH: [project.folder, ...others].join(delimiter) };

it.each(['npx cdk', 'node node_modules/aws-cdk/bin/cdk'])('%s runs the app with an old node', async (cdk) => {
  const list = `${cdk} ls --context stage=dev`;
  const { code, output } = await runCommand('sh', project.folder, ['-c', list], environment).ended;
  expect(output).toMatch(/^PlantStore-dev$/m);
  expect(code).toBe(0);
});

it('npm start says in a line to run npm ci first', async () => {
  rmSync(join(project.folder, 'node_modules'));
  const { code, output } = await npm(project.folder, ['start'], environment).ended;
  expect([code, ownLines(output)]).toEqual([
    1,
    ["This project's packages are not installed. Run npm ci first."],
  ]);
});

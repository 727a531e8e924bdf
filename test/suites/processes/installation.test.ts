// The documented commands on a machine with an old Node.js, and before `npm ci`.
import { rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ownLines } from '../../support/lines.ts';
import { readDocument } from '../../support/markdown.ts';
import { copyProject, freePorts, npm, runCommand, signalGroup } from '../../support/service/local-service.ts';

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
const environment = { ...freePorts, PATH: [project.folder, ...others].join(delimiter) };

describe('in a shell with an old Node.js', () => {
  it('the documented command for a debugger starts the service', async () => {
    const [, documented = ''] = /`([^`]*--inspect[^`]*)`/.exec(readDocument('docs/local-service.md')) ?? [];
    const inspected = documented.replace('--inspect', '--inspect=127.0.0.1:0');
    const command = runCommand('sh', project.folder, ['-c', inspected], environment);
    await command.printed('Debugger listening on ');
    await command.printed('Stop with Ctrl-C.');
    signalGroup(command, 'SIGINT');
    await command.ended;
  });

  it.each(['npx cdk', 'node node_modules/aws-cdk/bin/cdk'])('%s runs the app', async (cdk) => {
    const list = `${cdk} ls --context stage=dev`;
    const { code, output } = await runCommand('sh', project.folder, ['-c', list], environment).ended;
    expect(output).toMatch(/^PlantStore-dev$/m);
    expect(code).toBe(0);
  });
});

describe('before npm ci', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readDocument('package.json')));

  it.each(Object.keys(scripts))('npm run %s says in a line to run it', async (script) => {
    rmSync(join(project.folder, 'node_modules'), { force: true });
    const { code, output } = await npm(project.folder, ['run', script], environment).ended;
    expect([code, ownLines(output)]).toEqual([
      1,
      [expect.stringMatching(/not installed\. Run npm ci first\.$/)],
    ]);
  });
});

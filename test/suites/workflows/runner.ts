import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const folder = temporaryFolder();

/** A folder that is removed after the tests. */
export const newFolder = (): string => mkdtempSync(join(folder, 'test-'));

/** This process's environment without a developer's AWS settings, and with the Node.js of the workflows. */
export const runnerEnvironment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:AWS|GITHUB|GH)_/.test(name))),
  PATH: [
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules')),
  ].join(delimiter),
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  GITHUB_OUTPUT: '/dev/null',
};

/** A PATH on which scripts replace commands, such as those of GitHub and AWS. */
export const pathWith = (commands: Readonly<Record<string, string>>): string => {
  const bin = newFolder();
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return `${bin}${delimiter}${runnerEnvironment.PATH}`;
};

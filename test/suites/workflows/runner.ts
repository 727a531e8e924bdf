import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'plant-store-'));

/** A copy of the checkout, as on GitHub's runner. */
export const copyCheckout = (): string => {
  const folder = newFolder();
  const left = ['.git', 'node_modules', 'cdk.out', '.local', 'test-results'];
  cpSync(checkout, folder, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  return folder;
};

/** This process's environment without a developer's AWS settings, and with the Node.js of the workflows. */
export const runnerEnvironment = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(?:AWS|GITHUB|GH)_/.test(name) ? [] : [[name, value]],
    ),
  ),
  PATH: [
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules')),
  ].join(delimiter),
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};

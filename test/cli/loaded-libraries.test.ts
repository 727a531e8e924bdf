import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
/** Prints the name of each package of which a file is loaded. */
const printPackages = `data:text/javascript,
  import { registerHooks } from 'node:module';
  registerHooks({
    load: (url, context, next) => {
      console.log(/node_modules.((?:@[^/]+.)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });`;

it.each([[['--help']], [['import', '--help']], [['list', '--help']], [['revoke', '--help']]])(
  'npm run plants -- %j loads neither a validator nor the AWS SDK',
  async (parameters) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--import', printPackages, main, ...parameters],
    ]);
    expect(stdout).toContain('commander');
    expect(stdout).not.toMatch(/^(?:zod|valibot|@aws-sdk|@smithy)/m);
  },
);

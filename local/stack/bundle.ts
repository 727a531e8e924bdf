import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build, type BuildOptions, stop } from 'esbuild';
import { bundleOptions } from '../../infra/bundle.ts';
import { UserError } from '../../cli/terminal/user-error.ts';
import { bundlesFolder } from '../service-file.ts';
import type { FunctionDefinition } from './read-stack.ts';

/** A function with the folder of its code. */
export interface BundledFunction extends FunctionDefinition {
  readonly codeFolder: string;
}

/** Makes the folder of the bundles. They are CommonJS, as on Lambda, where there is no package.json. */
export const makeBundlesFolder = (): void => {
  mkdirSync(bundlesFolder);
  writeFileSync(join(bundlesFolder, 'package.json'), '{"type":"commonjs"}\n');
  // Otherwise esbuild's process would keep the terminal's pipe open until the end of a build.
  process.once('exit', () => void stop());
};

/**
 * Bundles each function into a folder of its own.
 * @throws {UserError} with the place of the first error
 */
export const bundleFunctions = (
  functions: readonly FunctionDefinition[],
  folder: string,
): Promise<readonly BundledFunction[]> =>
  Promise.all(
    functions.map(async (each) => {
      const codeFolder = join(folder, each.id);
      await bundle(bundleOptions(each.source, codeFolder));
      return { ...each, codeFolder };
    }),
  );

/**
 * Runs esbuild.
 * @throws {UserError} with the place of the first error
 */
export const bundle = async (options: BuildOptions): Promise<void> => {
  // Written here, because esbuild's process could still write after this one has removed the folder.
  const { outputFiles } = await build({ ...options, write: false, logLevel: 'silent' }).catch(
    async (error: unknown) => {
      const [, place, problem] = /^(.+:\d+:\d+): ERROR: (.+)$/m.exec(String(error)) ?? [];
      if (place !== undefined) throw new UserError(`${place}: ${problem ?? ''}.`);
      // Ctrl-C ends esbuild's process too, perhaps before this one receives the signal.
      await delay(200);
      throw error;
    },
  );
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
};

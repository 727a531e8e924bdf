import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildContext, context, type OutputFile } from 'esbuild';
import { bundleOptions, warmModule } from '../../infra/bundle.ts';
import type { FunctionDefinition } from './read-stack.ts';

/** Longer than the pause between two saves of one action of an editor or of git, in milliseconds. */
const quietTime = 100;

/**
 * Bundles the functions of a stack, at once and after each change of their source. esbuild prints what does not compile.
 * @param folder receives a folder for each version, because environments of the previous one may still start from theirs
 * @param onBundled receives the functions with their new bundles, or undefined when there are none
 */
export const watchFunctions = async (
  functions: readonly FunctionDefinition[],
  folder: string,
  onBundled: (functions: readonly FunctionDefinition[] | undefined) => void,
): Promise<BuildContext> => {
  mkdirSync(folder, { recursive: true });
  // The bundles are CommonJS, as on Lambda, where there is no package.json.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  let version = 0;
  const folderOf = (number: number): string => join(folder, String(number));
  const outdir = folderOf(0);

  const write = (files: readonly OutputFile[]): readonly FunctionDefinition[] => {
    version += 1;
    const bundled = functions.map((each) => ({ ...each, codeFolder: join(folderOf(version), each.id) }));
    for (const { path, contents } of files) {
      const file = path.replace(outdir, folderOf(version));
      // esbuild copies it once, but each bundle needs it.
      const copies =
        path === join(outdir, 'warm.mjs') ? bundled.map((each) => join(each.codeFolder, 'warm.mjs')) : [file];
      for (const copy of copies) {
        mkdirSync(dirname(copy), { recursive: true });
        writeFileSync(copy, contents);
      }
    }
    rmSync(folderOf(version - 2), { recursive: true, force: true });
    return bundled;
  };

  const sourceMaps = functions.some(({ source }) => source.sourceMaps);
  const build = await context({
    ...bundleOptions({ entry: '', sourceMaps }, outdir),
    entryPoints: [
      ...functions.map(({ id, source }) => ({ in: source.entry, out: `${id}/index` })),
      { in: warmModule, out: 'warm' },
    ],
    logLevel: 'error',
    write: false,
    plugins: [
      {
        name: 'deploy',
        setup: (plugin) => {
          plugin.onEnd(({ outputFiles = [] }) => {
            onBundled(outputFiles.length === 0 ? undefined : write(outputFiles));
          });
        },
      },
    ],
  });
  await build.watch({ delay: quietTime });
  return build;
};

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

/** Makes the code of the function whose source is `functions/<folder>/handler.ts`. */
export type Bundle = (folder: string, sourceMaps: boolean) => Code;

/** The source of a function's bundle. */
export interface BundleSource {
  /** The file with the handler, relative to the project's folder. */
  readonly entry: string;
  readonly sourceMaps: boolean;
}

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** esbuild's options for a folder with `index.js`, and `warm.mjs`, which loads `index.js` and warms it up. */
export const bundleOptions = ({ entry, sourceMaps }: BundleSource, folder: string): BuildOptions => ({
  absWorkingDir: projectFolder,
  entryPoints: [
    { in: entry, out: 'index' },
    { in: 'functions/shared/warm.mjs', out: 'warm' },
  ],
  loader: { '.mjs': 'copy' },
  outdir: folder,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // CommonJS starts faster: a static ESM import of node:http reads every export, which loads undici.
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: sourceMaps,
  sourcesContent: false,
});

/** Bundles functions with esbuild, each in a folder of `bundles`. Stages share bundles that do not differ. */
export const bundleInto =
  (bundles: string): Bundle =>
  (folder, sourceMaps) => {
    const outdir = join(bundles, sourceMaps ? `${folder}-with-source-maps` : folder);
    const source = { entry: `functions/${folder}/handler.ts`, sourceMaps };
    if (!existsSync(outdir)) buildSync(bundleOptions(source, outdir));
    return Code.fromAsset(outdir);
  };

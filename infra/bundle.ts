import { existsSync } from 'node:fs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync, formatMessagesSync } from 'esbuild';

/** Makes the code of the function whose source is `functions/<folder>/handler.ts`. */
export type Bundle = (folder: string) => Code;

/**
 * Bundles functions with esbuild, each in a folder of `bundles`: `index.js`, and `warm.mjs`, which loads it
 * and warms it up. Stages share bundles that do not differ.
 * @throws {Error} with texts and places, when esbuild fails or warns
 */
export const bundleInto =
  (bundles: string, sourcemap: boolean): Bundle =>
  (folder) => {
    const outdir = `${bundles}/${folder}${sourcemap ? '-with-source-maps' : ''}`;
    if (existsSync(outdir)) return Code.fromAsset(outdir);
    const { warnings } = buildSync({
      entryPoints: { index: `functions/${folder}/handler.ts`, warm: 'functions/runtime/warm.mjs' },
      loader: { '.mjs': 'copy' },
      outdir,
      bundle: true,
      platform: 'node',
      target: 'node24',
      // CommonJS starts faster: a static ESM import of node:http reads every export, which loads undici.
      format: 'cjs',
      mainFields: ['module', 'main'],
      minify: true,
      sourcemap,
      sourcesContent: false,
      logLevel: 'error',
      // What is not bundled is not on Lambda.
      logOverride: {
        'indirect-require': 'warning',
        'unsupported-dynamic-import': 'warning',
        'unsupported-require-call': 'warning',
      },
    });
    // One is import.meta, which is empty in CommonJS: the code runs here, and cannot be loaded on Lambda.
    if (warnings.length > 0) throw new Error(formatMessagesSync(warnings, { kind: 'warning' }).join(''));
    return Code.fromAsset(outdir);
  };

import { existsSync } from 'node:fs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync, formatMessagesSync } from 'esbuild';

/** Bundles the function whose source is `functions/<folder>/handler.ts`. */
export type Bundle = (folder: string) => Code;

/**
 * Bundles functions with esbuild, each into a folder of `bundles`: `index.js`, and `warm.mjs`, which loads
 * `index.js` and warms it up. Stages share a function's bundle if both have source maps or both have none.
 * @throws {Error} with the messages of esbuild and their places, if it fails or warns
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
      // A module that esbuild cannot find at build time is missing on Lambda.
      logOverride: {
        'indirect-require': 'warning',
        'unsupported-dynamic-import': 'warning',
        'unsupported-require-call': 'warning',
      },
    });
    // A warning can mean that code runs here but not on Lambda: `import.meta` is empty in CommonJS.
    if (warnings.length > 0) throw new Error(formatMessagesSync(warnings, { kind: 'warning' }).join(''));
    return Code.fromAsset(outdir);
  };

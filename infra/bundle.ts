import { existsSync } from 'node:fs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync, formatMessagesSync } from 'esbuild';

/** Bundles the function whose source is `functions/<folder>/handler.ts`. */
export type Bundle = (folder: string) => Code;

/**
 * Bundles functions with esbuild, each into a folder of `bundles`: `index.js`, and `warm.mjs`, which loads
 * `index.js` and warms it up. Stages share a function's bundle if both have source maps or both have none.
 * @throws {Error} if esbuild fails or warns, with its messages and the places in the source
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
      // CommonJS starts faster, because a static ESM import of node:http reads all exports and loads undici.
      format: 'cjs',
      mainFields: ['module', 'main'],
      minify: true,
      sourcemap,
      sourcesContent: false,
      logLevel: 'error',
      // These messages are about modules that esbuild cannot bundle, so they would be missing on Lambda.
      logOverride: {
        'indirect-require': 'warning',
        'unsupported-dynamic-import': 'warning',
        'unsupported-require-call': 'warning',
      },
    });
    // A warning can mean that code runs here but not on Lambda, such as `import.meta`, empty in CommonJS.
    if (warnings.length > 0) throw new Error(formatMessagesSync(warnings, { kind: 'warning' }).join(''));
    return Code.fromAsset(outdir);
  };

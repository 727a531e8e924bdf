import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { synthesize } from './checkout.ts';
import type { FunctionCode } from './lambda/execution-environment.ts';

/** One implementation of a function. */
export interface Variant extends FunctionCode {
  readonly name: string;
}

/** The implementations of one function that are compared. */
export interface Comparison {
  /** The first variant is the product. */
  readonly variants: readonly [Variant, ...Variant[]];
  /** The memory with which the product is deployed, in MB. All variants get it. */
  readonly memoryMb: number;
}

export const productName = 'plant-store';

/** The variant that does nothing, to show the cost of the runtime. All others respond as the product does. */
export const emptyName = 'empty';

/** The folder of all bundles. Each run empties the folder first. */
export const assembly = fileURLToPath(new URL('cdk.out', import.meta.url));

const project = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles every variant.
 * @param checkouts other checkouts of this project, whose functions are variants named after their folders
 */
export const bundleVariants = (
  checkouts: readonly string[],
): Readonly<Record<'list' | 'authorizer', Comparison>> => {
  rmSync(assembly, { recursive: true, force: true });
  mkdirSync(assembly);
  // On Lambda, no folder around a bundle has a package.json. Here, the project's package.json would make the
  // bundles ES modules.
  writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}\n');
  const product = synthesize(project, join(assembly, productName));
  const others = checkouts.map((checkout) => {
    const name = `${productName} in ${basename(checkout)}`;
    return { name, functionOf: synthesize(checkout, join(assembly, name)) };
  });
  const compare = (id: string, alternatives: readonly Variant[]): Comparison => ({
    variants: [
      { name: productName, ...product(id) },
      ...others.map(({ name, functionOf }) => ({ name, ...functionOf(id) })),
      ...alternatives,
      bundle(emptyName, 'empty.ts'),
    ],
    memoryMb: product(id).memoryMb,
  });
  return {
    list: compare('ListPlants', [
      productOnSdk(),
      bundle('cdk-default', 'plain.ts'),
      bundle('cdk-bundled', 'plain.ts', withSdk),
      bundle('cdk-middy', 'middy.ts'),
      bundle('hono', 'hono.ts', withSdk),
      bundle('powertools', 'powertools.ts', withSdk),
      bundle('express', 'express.ts', withSdk),
    ]),
    authorizer: compare('Authorizer', [
      bundle('jose-documented', 'jose.ts'),
      bundle('aws-jwt-verify-hydrated', 'aws-jwt-verify.ts', esModule),
    ]),
  };
};

const withSdk: BuildOptions = { external: [], minify: true };
// A top-level await needs an ES module.
const esModule: BuildOptions = { format: 'esm', outExtension: { '.js': '.mjs' } };

/** Bundles an alternative as CDK's `NodejsFunction` does: by default without the SDK, which Lambda has. */
const bundle = (name: string, file: string, options: BuildOptions = {}): Variant => {
  const folder = join(assembly, name);
  buildSync({
    bundle: true,
    platform: 'node',
    target: 'node24',
    external: ['@aws-sdk/*', '@smithy/*'],
    entryPoints: { index: join(project, 'bench/alternatives', file) },
    outdir: folder,
    logLevel: 'error',
    ...options,
  });
  return { name, folder, handler: 'index.handler' };
};

/** The product with the AWS SDK in place of its DynamoDB client, bundled and warmed up as the product is. */
const productOnSdk = (): Variant => {
  const options = { ...withSdk, mainFields: ['module', 'main'] };
  const variant = bundle(`${productName}-sdk`, 'plant-store-sdk.ts', options);
  copyFileSync(join(project, 'functions/runtime/warm.mjs'), join(variant.folder, 'warm.mjs'));
  return { ...variant, handler: 'warm.handler' };
};

import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Stack } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { z } from 'zod';
import { bundleInto } from '../infra/bundle.ts';
import { PlantStoreStack } from '../infra/plant-store-stack.ts';
import { stages } from '../infra/stages.ts';
import type { Deployment } from './lambda/execution-environment.ts';
import { type Product, type Task, type Variant, variants } from './variants.ts';

/** A variant with its asset as CDK would upload it. */
export interface Candidate extends Variant, Deployment {
  readonly bundleBytes: number;
  /** The memory it would be deployed with, in MB. */
  readonly memoryMb: number;
}

/** The folder of all assets. Each run begins with an empty one. */
export const assembly = fileURLToPath(new URL('cdk.out', import.meta.url));

/** Bundles every variant with CDK. The product's functions are those of its stack. */
export const bundleAll = (
  variables: Deployment['variables'],
): Readonly<Record<Task, readonly Candidate[]>> => {
  rmSync(assembly, { recursive: true, force: true });
  // Without source maps, as in production.
  const stage = stages.find(({ name }) => name === 'prod');
  if (stage === undefined) throw new Error('infra/stages.ts has no stage prod.');
  const app = new App({ outdir: assembly, analyticsReporting: false });
  const bundleFunction = bundleInto(join(assembly, 'bundles'));
  const props = { stage, bundle: bundleFunction, commit: 'bench' };
  const product = { ...props, stack: new PlantStoreStack(app, 'PlantStore', props) };
  const bundles = (task: Task): readonly Candidate[] => {
    const scope = new Stack(app, `bench-${task}`);
    return variants[task].map((variant) => ({ ...variant, ...bundle(variant, scope, product), variables }));
  };
  const all = { list: bundles('list'), authorizer: bundles('authorizer') };
  // As on Lambda: the project's package.json would make the bundles ES modules.
  writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}\n');
  return all;
};

const code = z.object({ s3Key: z.string() });

/** CDK bundles a function in its constructor, so nothing has to be synthesized. */
const bundle = (
  variant: Variant,
  scope: Stack,
  product: Product,
): Pick<Candidate, 'folder' | 'handler' | 'bundleBytes' | 'memoryMb'> => {
  const resource = variant.build(scope, product).node.defaultChild;
  if (!(resource instanceof CfnFunction)) throw new Error(`${variant.name} has no CloudFormation resource.`);
  const { s3Key } = code.parse(scope.resolve(resource.code));
  const folder = join(assembly, `asset.${s3Key.replace(/\.zip$/, '')}`);
  const { handler = '', memorySize: memoryMb = 128 } = resource;
  return { folder, handler, bundleBytes: bytesIn(folder), memoryMb };
};

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

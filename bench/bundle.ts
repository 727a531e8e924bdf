import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, CfnElement, Stack } from 'aws-cdk-lib';
import { z } from 'zod';
import { PlantStoreStack } from '../infra/plant-store-stack.ts';
import { stages } from '../infra/stages.ts';
import { type Job, type Variant, variants } from './variants.ts';

/** A variant's asset, as CDK would upload it. */
export interface Bundle {
  readonly variant: Variant;
  readonly folder: string;
  /** File and export. */
  readonly handler: string;
  readonly bytes: number;
}

const template = z.object({ Resources: z.record(z.string(), z.unknown()) });
const functionResource = z.object({
  Properties: z.object({ Handler: z.string(), Code: z.object({ S3Key: z.string() }) }),
});

const assembly = fileURLToPath(new URL('cdk.out', import.meta.url));

/** Bundles every variant with CDK, the product's functions by the product's own stack. */
export const bundleAll = (): Readonly<Record<Job, readonly Bundle[]>> => {
  rmSync(assembly, { recursive: true, force: true });
  // Without source maps, as in production.
  const stage = stages.find(({ name }) => name === 'prod');
  if (stage === undefined) throw new Error('infra/stages.ts has no stage prod.');
  const app = new App({ outdir: assembly, analyticsReporting: false });
  const product = { stage, stack: new PlantStoreStack(app, 'PlantStore', { stage, commit: 'bench' }) };
  const build = (job: Job): (() => readonly Bundle[]) => {
    const scope = new Stack(app, `bench-${job}`);
    const functions = variants[job].map((variant) => ({ variant, made: variant.build(scope, product) }));
    return () =>
      functions.map(({ variant, made }) => {
        const { stackName } = Stack.of(made);
        const { Resources } = template.parse(app.synth().getStackByName(stackName).template);
        const resource = Resources[idOf(made.node.defaultChild)];
        const { Handler, Code } = functionResource.parse(resource).Properties;
        const folder = join(assembly, `asset.${Code.S3Key.replace(/\.zip$/, '')}`);
        return { variant, folder, handler: Handler, bytes: bytesIn(folder) };
      });
  };
  const [list, authorizer] = [build('list'), build('authorizer')];
  const bundles = { list: list(), authorizer: authorizer() };
  // The bundles are CommonJS, as on Lambda, where no package.json is around them.
  writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}\n');
  return bundles;
};

const idOf = (resource: unknown): string => {
  if (!(resource instanceof CfnElement)) throw new Error('A function of CDK has a resource.');
  return Stack.of(resource).getLogicalId(resource);
};

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, CfnElement, Stack } from 'aws-cdk-lib';
import { z } from 'zod';
import { PlantStoreStack } from '../infra/plant-store-stack.ts';
import { stages } from '../infra/stages.ts';
import { type Task, type Variant, variants } from './variants.ts';

/** A variant's asset as CDK would upload it. */
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

/** Bundles every variant with CDK; the product's functions come from the product's stack. */
export const bundleAll = (): Readonly<Record<Task, readonly Bundle[]>> => {
  rmSync(assembly, { recursive: true, force: true });
  // Without source maps, as in production.
  const stage = stages.find(({ name }) => name === 'prod');
  if (stage === undefined) throw new Error('infra/stages.ts has no stage prod.');
  const app = new App({ outdir: assembly, analyticsReporting: false });
  const product = { stage, stack: new PlantStoreStack(app, 'PlantStore', { stage, commit: 'bench' }) };
  const build = (task: Task): (() => readonly Bundle[]) => {
    const scope = new Stack(app, `bench-${task}`);
    const functions = variants[task].map((variant) => ({
      variant,
      made: variant.build(scope, product),
    }));
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
  // On Lambda, no package.json surrounds the bundles, so they are CommonJS. Here the project's would apply.
  writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}\n');
  return bundles;
};

const idOf = (resource: unknown): string => {
  if (!(resource instanceof CfnElement)) throw new Error('The function has no CloudFormation resource.');
  return Stack.of(resource).getLogicalId(resource);
};

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

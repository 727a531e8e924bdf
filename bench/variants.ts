import { fileURLToPath } from 'node:url';
import { Duration } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import type { Bundle } from '../infra/bundle.ts';
import type { PlantStoreStack } from '../infra/plant-store-stack.ts';
import { defaultMemoryMb } from '../infra/operation.ts';
import { BundledFunction } from '../infra/service-function.ts';
import type { Stage } from '../infra/stage.ts';

/** The functions that are compared. */
export type Task = 'list' | 'authorizer';

/** One implementation of a function. */
export interface Variant {
  readonly name: string;
  /** The `product` is deployed, an `alternative` could be, a `lower bound` shows the least possible cost. */
  readonly kind: 'product' | 'alternative' | 'lower bound';
  readonly build: (scope: Construct, product: Product) => LambdaFunction;
}

/** The product as it is deployed to production. */
export interface Product {
  readonly stage: Stage;
  readonly bundle: Bundle;
  readonly stack: PlantStoreStack;
}

/** The variants to which the others are compared. */
export const baselines: Readonly<Record<Task, string>> = {
  list: 'cdk-default',
  authorizer: 'jose-documented',
};

export const productName = 'plant-store';

/** Does nothing, to show the cost of the runtime. Every other variant responds as the product does. */
export const emptyName = 'empty';

const projectFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A function of the product's stack. */
const product = (id: string): Variant => ({
  name: productName,
  kind: 'product',
  build: (_scope, { stack }) => {
    const found = stack.node.findChild(id);
    if (!(found instanceof LambdaFunction)) throw new Error(`The stack has no function ${id}.`);
    return found;
  },
});

/** A function bundled as the product's are, by the same construct, but without their warm-up. */
const lowerBound = (name: string): Variant => ({
  name,
  kind: 'lower bound',
  build: (scope, { stage, bundle }) =>
    new BundledFunction(scope, name, {
      stage,
      bundle,
      folder: `../bench/lower-bounds/${name}`,
      handler: 'index.handler',
      description: name,
      memorySize: defaultMemoryMb,
      timeout: Duration.seconds(10),
      environment: {},
    }),
});

/** A function with CDK's default bundling, which leaves the SDK out, unless the options say otherwise. */
const alternative = (name: string, file: string, bundling: BundlingOptions = {}): Variant => ({
  name,
  kind: 'alternative',
  build: (scope) =>
    new NodejsFunction(scope, name, {
      entry: projectFile(`bench/alternatives/${file}`),
      runtime: Runtime.NODEJS_24_X,
      projectRoot: projectFile(''),
      depsLockFilePath: projectFile('package-lock.json'),
      bundling: { logLevel: LogLevel.ERROR, ...bundling },
    }),
});

const bundled = { bundleAwsSDK: true, minify: true } as const;

export const variants: Readonly<Record<Task, readonly Variant[]>> = {
  list: [
    product('ListPlants'),
    alternative('cdk-default', 'plain.ts'),
    alternative('cdk-bundled', 'plain.ts', bundled),
    alternative('cdk-middy', 'middy.ts'),
    alternative('hono', 'hono.ts', bundled),
    alternative('powertools', 'powertools.ts', bundled),
    alternative('express', 'express.ts', bundled),
    lowerBound('hand-signed'),
    lowerBound(emptyName),
  ],
  authorizer: [
    product('Authorizer'),
    alternative('jose-documented', 'jose.ts'),
    alternative('aws-jwt-verify', 'aws-jwt-verify.ts'),
    // An ES module, because only there is a top-level await possible.
    alternative('aws-jwt-verify-hydrated', 'aws-jwt-verify-hydrated.ts', { format: OutputFormat.ESM }),
    lowerBound(emptyName),
  ],
};

import { fileURLToPath } from 'node:url';
import { Duration } from 'aws-cdk-lib';
import { CfnFunction, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { PlantStoreStack } from '../infra/plant-store-stack.ts';
import { ServiceFunction } from '../infra/service-function.ts';
import type { Stage } from '../infra/stage.ts';

/** The functions that are compared. */
export type Task = 'list' | 'authorizer';

/** One implementation of a function. */
export interface Variant {
  readonly name: string;
  /** The `product` is deployed, an `alternative` could be, a `lower bound` shows the least possible cost. */
  readonly kind: 'product' | 'alternative' | 'lower bound';
  /** It does nothing, to show the cost of the runtime. Every other variant responds as the product does. */
  readonly isEmpty?: true;
  readonly build: (scope: Construct, product: Product) => LambdaFunction;
}

/** The product as it is deployed to production. */
export interface Product {
  readonly stage: Stage;
  readonly stack: PlantStoreStack;
}

/** The variants to which the others are compared. */
export const baselines: Readonly<Record<Task, string>> = {
  list: 'cdk-default',
  authorizer: 'jose-documented',
};

export const productName = 'plant-store';

const projectFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A function of the product's stack. */
const fromStack =
  (id: string): Variant['build'] =>
  (_scope, { stack }) => {
    const found = stack.node.findChild(id);
    if (!(found instanceof LambdaFunction)) throw new Error(`The stack has no function ${id}.`);
    return found;
  };

/** A function bundled as the product's are, by the same construct, but without their warm-up. */
const asProduct =
  (folder: string): Variant['build'] =>
  (scope, { stage }) => {
    const made = new ServiceFunction(scope, folder.replaceAll('/', '-'), {
      stage,
      folder: `../bench/${folder}`,
      description: folder,
      memoryMb: stage.listPlants.memoryMb,
      timeout: Duration.seconds(10),
      environment: {},
      logGroup: new LogGroup(scope, `${folder.replaceAll('/', '-')}-log`),
    });
    if (made.node.defaultChild instanceof CfnFunction) made.node.defaultChild.handler = 'index.handler';
    return made;
  };

/** A function with CDK's default bundling, which leaves the SDK out, except for the given options. */
const asDocumented =
  (name: string, entry: string, bundling: BundlingOptions = {}): Variant['build'] =>
  (scope) =>
    new NodejsFunction(scope, name, {
      entry: projectFile(entry),
      runtime: Runtime.NODEJS_24_X,
      projectRoot: projectFile(''),
      depsLockFilePath: projectFile('package-lock.json'),
      bundling: { logLevel: LogLevel.ERROR, ...bundling },
    });

const bundled = { bundleAwsSDK: true, minify: true } as const;

const documented = (name: string, entry: string, bundling?: BundlingOptions): Variant => ({
  name,
  kind: 'alternative',
  build: asDocumented(name, entry, bundling),
});

/** All variants. */
export const variants: Readonly<Record<Task, readonly Variant[]>> = {
  list: [
    { name: productName, kind: 'product', build: fromStack('ListPlants') },
    documented('cdk-default', 'bench/alternatives/plain.ts'),
    documented('cdk-bundled', 'bench/alternatives/plain.ts', bundled),
    documented('cdk-middy', 'bench/alternatives/middy.ts'),
    documented('hono', 'bench/alternatives/hono.ts', bundled),
    documented('powertools', 'bench/alternatives/powertools.ts', bundled),
    documented('express', 'bench/alternatives/express.ts', bundled),
    { name: 'hand-signed', kind: 'lower bound', build: asProduct('lower-bounds/hand-signed') },
    { name: 'empty', kind: 'lower bound', isEmpty: true, build: asProduct('lower-bounds/empty') },
  ],
  authorizer: [
    { name: productName, kind: 'product', build: fromStack('Authorizer') },
    documented('jose-documented', 'bench/alternatives/jose.ts'),
    documented('aws-jwt-verify', 'bench/alternatives/aws-jwt-verify.ts'),
    // An ES module, because only there is a top-level await possible.
    documented('aws-jwt-verify-hydrated', 'bench/alternatives/aws-jwt-verify-hydrated.ts', {
      format: OutputFormat.ESM,
    }),
    { name: 'empty', kind: 'lower bound', isEmpty: true, build: asProduct('lower-bounds/empty') },
  ],
};

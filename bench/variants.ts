import { fileURLToPath } from 'node:url';
import { Duration } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { PlantStoreStack } from '../infra/plant-store-stack.ts';
import { ServiceFunction } from '../infra/service-function.ts';
import type { Stage } from '../infra/stage.ts';

/** What the variants of one comparison do. */
export type Job = 'list' | 'authorizer';

/** One way to build a function. */
export interface Variant {
  readonly name: string;
  /** `ours` is deployed, a `peer` could be, a `floor` only shows what nothing can go below. */
  readonly kind: 'ours' | 'alternative' | 'lower bound';
  /** Does nothing: what the runtime itself costs. Every other variant answers as ours does. */
  readonly isEmpty?: true;
  readonly build: (scope: Construct, product: Product) => LambdaFunction;
}

/** The product as it is deployed to production. */
export interface Product {
  readonly stage: Stage;
  readonly stack: PlantStoreStack;
}

/** The variants whose cold starts the others' are divided by. */
export const baselines: Readonly<Record<Job, string>> = {
  list: 'cdk-default',
  authorizer: 'jose-documented',
};

/** Ours. */
export const productName = 'plant-store';

const projectFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A function of the product's own stack. */
const fromStack =
  (id: string): Variant['build'] =>
  (_scope, { stack }) => {
    const found = stack.node.findChild(id);
    if (!(found instanceof LambdaFunction)) throw new Error(`The stack has no function ${id}.`);
    return found;
  };

/** A function bundled as the product's are: by the same construct. */
const asProduct =
  (folder: string): Variant['build'] =>
  (scope, { stage }) =>
    new ServiceFunction(scope, folder.replaceAll('/', '-'), {
      stage,
      folder: `../bench/${folder}`,
      description: folder,
      memoryMb: stage.listPlants.memoryMb,
      timeout: Duration.seconds(10),
      environment: {},
      logGroup: new LogGroup(scope, `${folder.replaceAll('/', '-')}-log`),
      commit: 'bench',
    });

/** A function with nothing but the bundling options named here; the SDK stays outside unless they say otherwise. */
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

/** All that is compared. */
export const variants: Readonly<Record<Job, readonly Variant[]>> = {
  list: [
    { name: productName, kind: 'ours', build: fromStack('ListPlants') },
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
    { name: productName, kind: 'ours', build: fromStack('Authorizer') },
    documented('jose-documented', 'bench/alternatives/jose.ts'),
    documented('aws-jwt-verify', 'bench/alternatives/aws-jwt-verify.ts'),
    { name: 'empty', kind: 'lower bound', isEmpty: true, build: asProduct('lower-bounds/empty') },
  ],
};

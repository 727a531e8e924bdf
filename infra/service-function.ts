import { mkdirSync, rmdirSync } from 'node:fs';
import { AssetHashType, CfnResource, DockerImage, type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { bundleOptions, type BundleSource, projectFolder } from './bundle.ts';
import type { Stage } from './stage.ts';

/** A log with the stage's retention. With protected data, it outlives the stack. */
export const serviceLog = (
  scope: Construct,
  id: string,
  { data, logRetentionDays }: Stage,
  props: LogGroupProps = {},
): LogGroup =>
  new LogGroup(scope, id, {
    ...props,
    retention: logRetentionDays,
    removalPolicy: data === 'protected' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });

/** A function's code and settings. */
export interface BundledFunctionProps {
  readonly stage: Stage;
  /** The folder under `functions/` whose `handler.ts` runs. */
  readonly folder: string;
  readonly description: string;
  /** The stage's record can override it. */
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly environment: Readonly<Record<string, string>>;
}

/** A function bundled from a folder, with its log and a role that allows only writing that log. */
export class BundledFunction extends lambda.Function {
  readonly folder: string;

  /** @param handler `warm.handler` if `handler.ts` exports `warmUp`, otherwise `index.handler` */
  constructor(
    scope: Construct,
    id: string,
    handler: 'index.handler' | 'warm.handler',
    { stage, folder, ...props }: BundledFunctionProps,
  ) {
    const logGroup = serviceLog(scope, `${id}Log`, stage);
    const source = { entry: `functions/${folder}/handler.ts`, sourceMaps: stage.sourceMaps };
    const writeOwnLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    super(scope, id, {
      description: props.description,
      code: bundled(source),
      handler,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? lambda.Architecture.ARM_64 : lambda.Architecture.X86_64,
      memorySize: stage.memoryMb[id] ?? props.memoryMb,
      timeout: props.timeout,
      role: new Role(scope, `${id}Role`, {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        // AWSLambdaBasicExecutionRole would allow writing to every log group of the account.
        inlinePolicies: { WriteOwnLog: new PolicyDocument({ statements: [writeOwnLog] }) },
      }),
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      environment: {
        ...props.environment,
        ...(stage.sourceMaps && { NODE_OPTIONS: '--enable-source-maps' }),
      },
    });
    this.folder = folder;
    // The local service bundles the function from this.
    if (this.node.defaultChild instanceof CfnResource) this.node.defaultChild.addMetadata('bundle', source);
  }
}

/** How the pre-traffic hook checks a new version: variables of the hook (functions/pre-traffic-hook). */
type VersionCheck =
  | { readonly CHECK: 'operation'; readonly ROUTE: string; readonly WITHOUT_PLANTS: string }
  | { readonly CHECK: 'authorizer'; readonly TOKEN_ALGORITHMS: string };

/** A function of this service, warmed up before its first event. */
export class ServiceFunction extends BundledFunction {
  readonly check: VersionCheck;
  /** The alias that callers invoke. A release moves it to the next version. */
  readonly live: lambda.Alias;

  constructor(
    scope: Construct,
    id: string,
    { check, ...props }: BundledFunctionProps & Pick<ServiceFunction, 'check'>,
  ) {
    super(scope, id, 'warm.handler', props);
    this.check = check;
    this.live = this.addAlias('live');
  }
}

const bundled = (source: BundleSource): lambda.Code =>
  lambda.Code.fromAsset(projectFolder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the type; `tryBundle` always returns true.
      image: DockerImage.fromRegistry('none'),
      // CDK caches bundles by their options.
      environment: { entry: source.entry, sourceMaps: String(source.sourceMaps) },
      local: {
        tryBundle: (folder) => {
          // CDK creates it with mode 777, for containers that run as another user.
          rmdirSync(folder);
          mkdirSync(folder, { mode: 0o755 });
          buildSync({ ...bundleOptions(source, folder), logLevel: 'warning' });
          return true;
        },
      },
    },
  });

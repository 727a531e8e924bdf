import { AssetHashType, CfnResource, DockerImage, type Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { bundleOptions, type BundleSource, projectFolder } from './bundle.ts';
import type { Stage } from './stage.ts';

/** What all functions of a stack are made of. */
export interface BundledFunctionProps {
  readonly stage: Stage;
  /** The folder under `functions/` whose `handler.ts` runs. */
  readonly folder: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly environment: Readonly<Record<string, string>>;
  readonly logGroup: LogGroup;
}

/** A function bundled from a folder, with a role that allows only writing its own log. */
export class BundledFunction extends LambdaFunction {
  /** @param handler `warm.handler` for a function whose `handler.ts` exports `warmUp`, or else `index.handler` */
  constructor(
    scope: Construct,
    id: string,
    handler: 'index.handler' | 'warm.handler',
    { stage, folder, logGroup, ...props }: BundledFunctionProps,
  ) {
    const source = { entry: `functions/${folder}/handler.ts`, sourceMaps: stage.sourceMaps };
    const writeOwnLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    super(scope, id, {
      description: props.description,
      code: bundled(source),
      handler,
      runtime: Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      role: new Role(scope, `${id}Role`, {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        // AWSLambdaBasicExecutionRole would allow writing every log group of the account.
        inlinePolicies: { WriteOwnLog: new PolicyDocument({ statements: [writeOwnLog] }) },
      }),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment: {
        ...props.environment,
        ...(stage.sourceMaps && { NODE_OPTIONS: '--enable-source-maps' }),
      },
    });
    // The local service bundles a changed function by itself.
    if (this.node.defaultChild instanceof CfnResource) this.node.defaultChild.addMetadata('bundle', source);
  }
}

export interface ServiceFunctionProps extends BundledFunctionProps {
  /** What the check of a new version must know of the function. */
  readonly hookEnvironment?: Readonly<Record<string, string>>;
}

/** The functions of a stack. Logs, queries and releases go over all of them. */
export type ServiceFunctions = Readonly<Record<'listPlants' | 'authorizer', ServiceFunction>>;

/** A function of this service, warmed up before its first event. */
export class ServiceFunction extends BundledFunction {
  /** The alias that callers invoke. A release moves it to the next version. */
  readonly live: Alias;
  readonly hookEnvironment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { hookEnvironment = {}, ...props }: ServiceFunctionProps) {
    super(scope, id, 'warm.handler', props);
    this.hookEnvironment = hookEnvironment;
    this.live = this.addAlias('live');
  }
}

const bundled = (source: BundleSource): Code =>
  Code.fromAsset(projectFolder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the type; `tryBundle` always returns true.
      image: DockerImage.fromRegistry('none'),
      // CDK bundles only once what has the same options.
      environment: { entry: source.entry, sourceMaps: String(source.sourceMaps) },
      local: {
        tryBundle: (folder) => {
          buildSync({ ...bundleOptions(source, folder), logLevel: 'warning' });
          return true;
        },
      },
    },
  });

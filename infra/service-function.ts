import { AssetHashType, CfnResource, DockerImage, type Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  type IFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { acknowledge, type Acknowledgement } from './acknowledge.ts';
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
  /** The commit that is deployed, for the log. */
  readonly commit: string;
  /** The rules that its configuration does not follow. */
  readonly acknowledgements: readonly Acknowledgement[];
}

/** A function bundled from a folder, with a role that allows only writing its own log. */
export class BundledFunction extends LambdaFunction {
  /** @param handler `warm.handler` for a function whose `handler.ts` exports `warmUp`, or else `index.handler` */
  constructor(
    scope: Construct,
    id: string,
    handler: 'index.handler' | 'warm.handler',
    props: BundledFunctionProps,
  ) {
    const { stage, logGroup } = props;
    const source = { entry: `functions/${props.folder}/handler.ts`, sourceMaps: stage.sourceMaps };
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // AWSLambdaBasicExecutionRole would allow writing every log group of the account.
      inlinePolicies: {
        WriteOwnLog: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
          ],
        }),
      },
    });
    super(scope, id, {
      description: props.description,
      code: bundled(source),
      handler,
      runtime: Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment: {
        ...props.environment,
        DEPLOYED_COMMIT: props.commit,
        ...(stage.sourceMaps && { NODE_OPTIONS: '--enable-source-maps' }),
      },
    });
    // The local service bundles a changed function by itself.
    if (this.node.defaultChild instanceof CfnResource) this.node.defaultChild.addMetadata('bundle', source);
    acknowledge(
      this,
      ...props.acknowledgements,
      {
        rules: ['CKV_AWS_173'],
        reason:
          'Its variables hold names and addresses but no secret, and Lambda encrypts them with its own key.',
      },
      {
        rules: ['W3005'],
        reason:
          'CDK makes each function depend on its role, although the reference to the role would suffice.',
      },
    );
  }
}

/** A function of this service, warmed up before its first event. */
export class ServiceFunction extends BundledFunction {
  /** The alias that callers invoke. A release moves it to the next version. */
  readonly live: Alias & IFunction;

  constructor(scope: Construct, id: string, props: Omit<BundledFunctionProps, 'acknowledgements'>) {
    super(scope, id, 'warm.handler', { ...props, acknowledgements });
    this.live = liveAlias(this);
  }
}

const bundled = (source: BundleSource): Code =>
  Code.fromAsset(projectFolder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used: bundling here either succeeds or fails.
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

const acknowledgements: readonly Acknowledgement[] = [
  {
    rules: ['Serverless-LambdaDLQ', 'CKV_AWS_116'],
    reason:
      'The gateway invokes it synchronously and reports a failure to the caller, so there is never an event for a dead letter queue.',
  },
  {
    rules: ['Serverless-LambdaTracing'],
    reason: 'X-Ray slows a cold start, and the one call that it could trace is covered by metrics and log.',
  },
  {
    rules: ['CKV_AWS_115'],
    reason:
      'The gateway’s throttle limits the load, and a new account’s quota does not allow reserved concurrency.',
  },
  {
    rules: ['CKV_AWS_117'],
    reason: 'It calls DynamoDB and the token issuer over TLS, and nothing inside a VPC.',
  },
];

const liveAlias = (of: LambdaFunction): Alias & IFunction => {
  const alias = of.addAlias('live');
  if (!isFunction(alias)) throw new Error('An alias is a function.');
  return alias;
};

/** Every alias is a function, but not in CDK's declarations under `exactOptionalPropertyTypes`. */
const isFunction = (alias: Alias | IFunction): alias is Alias & IFunction => 'grantInvoke' in alias;

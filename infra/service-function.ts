import { fileURLToPath } from 'node:url';
import type { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, Architecture, type IFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge, type Acknowledgement } from './acknowledge.ts';
import type { Stage } from './stage.ts';

const projectFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export interface ServiceFunctionProps {
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
}

/** A function of this service: bundled for a fast cold start, with a role that may write its own log and nothing else. */
export class ServiceFunction extends NodejsFunction {
  /** What callers reach; a release moves it from one version to the next. */
  readonly live: Alias & IFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { stage, logGroup } = props;
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // In place of AWSLambdaBasicExecutionRole, which may write every log group of the account.
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
      entry: projectFile(`functions/${props.folder}/handler.ts`),
      projectRoot: projectFile(''),
      depsLockFilePath: projectFile('package-lock.json'),
      runtime: Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // A variable that only SDK version 2 read.
      awsSdkConnectionReuse: false,
      environment: {
        ...props.environment,
        DEPLOYED_COMMIT: props.commit,
        ...(stage.sourceMaps && { NODE_OPTIONS: '--enable-source-maps' }),
      },
      bundling: {
        // CommonJS starts faster: a static ESM import of node:http reads every export and so loads undici.
        format: OutputFormat.CJS,
        target: 'node24',
        mainFields: ['module', 'main'],
        minify: true,
        logLevel: LogLevel.WARNING,
        sourceMap: stage.sourceMaps,
        sourcesContent: false,
        // Of the SDK, should a function import it: the runtime's own copy loads slower than the part that is used.
        bundleAwsSDK: true,
        externalModules: [],
      },
    });
    this.live = liveAlias(this);
    acknowledge(this, ...acknowledgements);
  }
}

const acknowledgements: readonly Acknowledgement[] = [
  {
    rules: ['Serverless-LambdaDLQ', 'CKV_AWS_116'],
    reason:
      'The gateway invokes it synchronously and gives a failure to the caller, so there is never an event for a dead letter queue.',
  },
  {
    rules: ['Serverless-LambdaTracing'],
    reason:
      'X-Ray takes memory and CPU from a cold start, and there is one call to trace, which the metrics and the log account for.',
  },
  {
    rules: ['CKV_AWS_115'],
    reason:
      'The gateway’s throttle bounds the load, and reserved concurrency cannot be had under the quota that a new account starts with.',
  },
  {
    rules: ['CKV_AWS_117'],
    reason: 'It calls DynamoDB and the token issuer over TLS, and nothing that is inside of a VPC.',
  },
  {
    rules: ['CKV_AWS_173'],
    reason:
      'Its variables hold names and addresses but no secret, and Lambda encrypts them with its own key.',
  },
  {
    rules: ['W3005'],
    reason: 'CDK makes each function depend on its role, although the reference to the role would do.',
  },
];

const liveAlias = (of: NodejsFunction): Alias & IFunction => {
  const alias = of.addAlias('live');
  if (!isFunction(alias)) throw new Error('An alias is a function.');
  return alias;
};

/** Every alias is one; CDK's declarations deny it under `exactOptionalPropertyTypes`. */
const isFunction = (alias: Alias | IFunction): alias is Alias & IFunction => 'grantInvoke' in alias;

import { RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Bundle } from './bundle.ts';
import type { Stage } from './stage.ts';

/** Logs have the stage's retention. With protected data, they outlive the stack. */
export const logProps = ({ data, logRetentionDays }: Stage): LogGroupProps => ({
  retention: logRetentionDays,
  removalPolicy: data === 'protected' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
});

type Settings = Required<
  Pick<lambda.FunctionProps, 'description' | 'environment' | 'handler' | 'memorySize' | 'timeout'>
>;

/** A function's code and settings. */
export interface BundledFunctionProps extends Settings {
  readonly stage: Stage;
  readonly bundle: Bundle;
  /** The folder under `functions/` whose `handler.ts` runs. */
  readonly folder: string;
  /** `warm.handler` if `handler.ts` exports `warmUp`, otherwise `index.handler`. */
  readonly handler: 'index.handler' | 'warm.handler';
}

/** A function bundled from a folder, with its log and a role that allows only writing that log. */
export class BundledFunction extends lambda.Function {
  constructor(scope: Construct, id: string, { stage, bundle, folder, ...settings }: BundledFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Log`, logProps(stage));
    super(scope, id, {
      ...settings,
      code: bundle(folder, stage.sourceMaps),
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? lambda.Architecture.ARM_64 : lambda.Architecture.X86_64,
      // Without AWSLambdaBasicExecutionRole, which would allow writing to every log group of the account.
      role: new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
    });
    logGroup.grantWrite(this);
    if (stage.sourceMaps) this.addEnvironment('NODE_OPTIONS', '--enable-source-maps');
  }
}

/** A function of this service, warmed up before its first event. */
export class ServiceFunction extends BundledFunction {
  /** The alias that callers invoke. A release moves it to the next version. */
  readonly live: lambda.Alias;

  constructor(scope: Construct, id: string, props: Omit<BundledFunctionProps, 'handler'>) {
    super(scope, id, { ...props, handler: 'warm.handler' });
    this.live = this.addAlias('live');
  }
}

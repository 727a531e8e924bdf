import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Bundle } from './bundle.ts';
import type { Stage } from './stage.ts';

/** A function's code and settings. */
export interface BundledFunctionProps extends Required<
  Pick<lambda.FunctionOptions, 'description' | 'environment' | 'memorySize' | 'timeout'>
> {
  readonly stage: Stage;
  readonly bundle: Bundle;
  /** The folder under `functions/` whose `handler.ts` runs. */
  readonly folder: string;
}

/** A function bundled from a folder, with its log and a role that allows only writing that log. */
export class BundledFunction extends lambda.Function {
  constructor(scope: Construct, id: string, { stage, bundle, folder, ...settings }: BundledFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Log`, { retention: stage.logRetentionDays });
    super(scope, id, {
      ...settings,
      code: bundle(folder, stage.sourceMaps),
      handler: 'warm.handler',
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

/** A function that callers of the service invoke. */
export class ServiceFunction extends BundledFunction {
  /** The alias that is invoked. A release moves it to the next version. */
  readonly live = this.addAlias('live');
}

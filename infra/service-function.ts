import type { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Bundle } from './bundle.ts';
import { serviceLog } from './service-log.ts';
import type { Stage } from './stage-type.ts';

/** The settings that all functions of a stack have in common. */
export interface FunctionSettings {
  readonly stage: Stage;
  readonly bundle: Bundle;
}

export interface BundledFunctionProps extends FunctionSettings, lambda.FunctionOptions {
  /** The folder below `functions/` whose `handler.ts` runs. */
  readonly folder: string;
}

/** A function of a folder below `functions/`, with its log and a role that allows only writing that log. */
export class BundledFunction extends lambda.Function {
  constructor(stack: Stack, id: string, { stage, bundle, folder, ...options }: BundledFunctionProps) {
    const logGroup = serviceLog(stack, `${id}Log`, stage);
    super(stack, id, {
      ...options,
      code: bundle(folder),
      handler: 'warm.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'x86_64' ? lambda.Architecture.X86_64 : lambda.Architecture.ARM_64,
      // Without AWSLambdaBasicExecutionRole, which would allow writing to every log group of the account.
      role: new Role(stack, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
    });
    logGroup.grantWrite(this);
    if (stage.sourceMaps === true) this.addEnvironment('NODE_OPTIONS', '--enable-source-maps');
  }
}

/** A function that the gateway invokes. */
export class ServiceFunction extends BundledFunction {
  /** The alias that is invoked. A release moves it to the next version. */
  readonly live = this.addAlias('live');
}

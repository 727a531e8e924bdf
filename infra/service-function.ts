import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { PlantStoreStack } from './plant-store-stack.ts';

/** A function of a folder below `functions/`, with its log and a role that allows only writing that log. */
export class BundledFunction extends lambda.Function {
  constructor(stack: PlantStoreStack, id: string, folder: string, options: lambda.FunctionOptions) {
    const { stage, bundle } = stack;
    const logGroup = new LogGroup(stack, `${id}Log`, { retention: stage.logRetentionDays });
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

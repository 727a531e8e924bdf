import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Acknowledgement } from './acknowledge.ts';
import { BundledFunction, type BundledFunctionProps, type ServiceFunction } from './service-function.ts';

export interface PreTrafficHookProps extends Pick<
  BundledFunctionProps,
  'stage' | 'environment' | 'logGroup' | 'commit'
> {
  /** The function whose new versions it checks. */
  readonly tested: ServiceFunction;
}

/**
 * Checks a new version of a function before it gets traffic. Each function has a hook of its own: a version that is good can
 * then be released, or come back in a rollback, while the other function's check fails.
 */
export class PreTrafficHook extends BundledFunction {
  constructor(scope: Construct, id: string, { tested, environment, ...props }: PreTrafficHookProps) {
    const { region, urlSuffix } = Stack.of(scope);
    const version = tested.currentVersion;
    super(scope, id, 'index.handler', {
      ...props,
      folder: 'pre-traffic-hook',
      description: `Checks a new version of ${tested.node.id} before it gets traffic`,
      memoryMb: 256,
      // Longer than its three requests to AWS, of a minute each at most.
      timeout: Duration.minutes(4),
      environment: {
        ...environment,
        // CodeDeploy does not tell a hook which version it releases.
        TESTED_FUNCTION: tested.functionName,
        TESTED_VERSION: version.version,
        AWS_ENDPOINT_URL_LAMBDA: `https://lambda.${region}.${urlSuffix}`,
        AWS_ENDPOINT_URL_CODEDEPLOY: `https://codedeploy.${region}.${urlSuffix}`,
      },
      acknowledgements,
    });
    this.addToRolePolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [version.functionArn] }),
    );
  }
}

const acknowledgements: readonly Acknowledgement[] = [
  {
    rules: ['Serverless-LambdaDLQ', 'CKV_AWS_116'],
    reason:
      'CodeDeploy waits for the status that it reports: a lost event fails the release, and would be of no use afterwards.',
  },
  {
    rules: ['Serverless-LambdaTracing'],
    reason: 'It runs once for each release, and its log says what it found.',
  },
  {
    rules: ['CKV_AWS_115'],
    reason: 'It runs once for each release, and a new account’s quota does not allow reserved concurrency.',
  },
  {
    rules: ['CKV_AWS_117'],
    reason: 'It calls Lambda and CodeDeploy over TLS, and nothing inside a VPC.',
  },
];

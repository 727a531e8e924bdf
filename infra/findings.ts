import { type Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Stage } from './stage-settings.ts';

const managed = 'arn:<AWS::Partition>:iam::aws:policy/service-role';

/** Rules of cdk-nag that a stage's stack breaks, with the reason. FUNCTION stands for each function's id. */
const findings = ({ data }: Stage): Readonly<Record<string, string>> => ({
  'Serverless-LambdaDLQ': 'The gateway waits for each result, and CodeDeploy fails a release without one.',
  'Serverless-LambdaTracing': 'X-Ray slows a cold start, and metrics and the log have what it could trace.',
  'Serverless-SNSRedrivePolicy': 'The dashboard shows an alarm whose mail was lost. Nobody reads a queue.',
  [`AwsSolutions-IAM4[Policy::${managed}/AWSCodeDeployRoleForLambdaLimited]`]:
    'CDK gives each deployment group this policy, the narrower of the two that AWS manages.',
  'AwsSolutions-IAM5[Resource::<FUNCTION.Arn>:*]':
    'Each release has new versions, and a permission for one would need seconds to take effect.',
  // A stage with disposable data can have a user pool.
  ...(data === 'disposable' && {
    'AwsSolutions-COG2': 'Creating or signing in a user needs a login to AWS, which can have two factors.',
    'AwsSolutions-COG8': 'The Plus plan, charged by user, protects sign-ins that are not allowed here.',
  }),
});

/** Acknowledges these findings of a complete stack, so that only others fail the synthesis. */
export const acknowledgeFindings = (stack: Stack, stage: Stage): void => {
  const functions = stack.node.findAll().filter((each) => each instanceof CfnFunction);
  for (const [rule, reason] of Object.entries(findings(stage))) {
    const ids = functions.map((each) => rule.replace('FUNCTION', stack.getLogicalId(each)));
    Validations.of(stack).acknowledge(...ids.map((id) => ({ id, reason })));
  }
};

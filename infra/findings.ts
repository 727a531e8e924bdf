import { type Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Stage } from './stage-type.ts';

const managedPolicies = 'arn:<AWS::Partition>:iam::aws:policy/service-role';

/** Why a stage's stack may break rules of cdk-nag. FUNCTION stands for the id of any function. */
const reasons = ({ data }: Stage): Readonly<Record<string, string>> => ({
  'Serverless-LambdaDLQ':
    'No failed event is lost, because the gateway waits for the result, and CodeDeploy for the report.',
  'Serverless-LambdaTracing':
    'X-Ray slows a cold start. Metrics and the log already show what it would trace.',
  'Serverless-SNSRedrivePolicy':
    'If the mail of an alarm is lost, the dashboard shows the alarm. Nobody reads a queue.',
  [`AwsSolutions-IAM4[Policy::${managedPolicies}/AWSCodeDeployRoleForLambdaLimited]`]:
    'CDK gives each deployment group this policy, the narrower of the two that AWS manages.',
  'AwsSolutions-IAM5[Resource::<FUNCTION.Arn>:*]':
    'The hook may invoke all versions, because each release has new ones, and a permission for a single ' +
    'version would need seconds to take effect.',
  // Only a stage with disposable data has a user pool.
  ...(data === 'disposable' && {
    'AwsSolutions-COG2': 'Creating or signing in a user needs a login to AWS, which can have two factors.',
    'AwsSolutions-COG8':
      'The Plus plan costs per user and protects public sign-ins, which this pool does not allow.',
  }),
});

/**
 * Acknowledges the findings that have a reason above. Any other finding fails the synthesis. Called when the
 * stack has all its functions.
 */
export const acknowledgeFindings = (stack: Stack, stage: Stage): void => {
  const functions = stack.node.findAll().filter((construct) => construct instanceof CfnFunction);
  for (const [rule, reason] of Object.entries(reasons(stage))) {
    const ids = functions.map((fn) => rule.replace('FUNCTION', stack.getLogicalId(fn)));
    Validations.of(stack).acknowledge(...ids.map((id) => ({ id, reason })));
  }
};

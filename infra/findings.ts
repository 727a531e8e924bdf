import { type Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Stage } from './stage-type.ts';

const managedPolicies = 'arn:<AWS::Partition>:iam::aws:policy/service-role';

/** Why a stage's stack may break rules of cdk-nag. FUNCTION stands for the id of any function. */
const reasons = ({ data }: Stage): Readonly<Record<string, string>> => ({
  'Serverless-LambdaDLQ': 'The gateway waits for each result, and CodeDeploy fails a release without one.',
  'Serverless-LambdaTracing': 'X-Ray slows a cold start, and metrics and the log have what it could trace.',
  'Serverless-SNSRedrivePolicy': 'The dashboard shows an alarm whose mail was lost. Nobody reads a queue.',
  [`AwsSolutions-IAM4[Policy::${managedPolicies}/AWSCodeDeployRoleForLambdaLimited]`]:
    'CDK gives each deployment group this policy, the narrower of the two that AWS manages.',
  'AwsSolutions-IAM5[Resource::<FUNCTION.Arn>:*]':
    'Each release has new versions, and a permission for a version would need seconds to take effect.',
  // Only a stage with disposable data has a user pool.
  ...(data === 'disposable' && {
    'AwsSolutions-COG2': 'Creating or signing in a user needs a login to AWS, which can have two factors.',
    'AwsSolutions-COG8': 'The Plus plan, charged by user, protects sign-ins that are not allowed here.',
  }),
});

/** Acknowledges the findings with a reason, of a complete stack, so that any other fails the synthesis. */
export const acknowledgeFindings = (stack: Stack, stage: Stage): void => {
  const functions = stack.node.findAll().filter((construct) => construct instanceof CfnFunction);
  for (const [rule, reason] of Object.entries(reasons(stage))) {
    const ids = functions.map((fn) => rule.replace('FUNCTION', stack.getLogicalId(fn)));
    Validations.of(stack).acknowledge(...ids.map((id) => ({ id, reason })));
  }
};

import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';

/** Reasons, by a CloudFormation type and the rules of cdk-nag and checkov that its resources break. */
type Exemptions = Readonly<Record<string, string>>;

const codeDeployPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited';

/** In every stage. `<FUNCTION.Arn>` stands for the ARN of each function that the resource names. */
const exemptions: Exemptions = {
  'Logs::LogGroup CKV_AWS_158':
    'CloudWatch encrypts it with its own key, and no token, claim or plant name is written to it.',
  'DynamoDB::Table CKV_AWS_119':
    'DynamoDB encrypts it with its own key, ' +
    'and a key of the account would make each list depend on KMS as well.',
  'Lambda::Function Serverless-LambdaDLQ CKV_AWS_116':
    'The gateway waits for a result, and CodeDeploy, which invokes a hook asynchronously, ' +
    'fails a release without the hook’s report.',
  'Lambda::Function Serverless-LambdaTracing':
    'X-Ray slows a cold start, and what it could trace is covered by metrics and the log.',
  'Lambda::Function CKV_AWS_115':
    'The gateway’s throttle limits the load, and a new account’s quota does not allow reserved concurrency.',
  'Lambda::Function CKV_AWS_117': 'It calls AWS and the token issuer over TLS, and nothing inside a VPC.',
  'Lambda::Function CKV_AWS_173':
    'Its variables hold names and addresses but no secret, and Lambda encrypts them with its own key.',
  [`IAM::Role AwsSolutions-IAM4[Policy::${codeDeployPolicy}]`]:
    'CDK gives each deployment group this policy, the narrower of the two that AWS manages for CodeDeploy.',
  'IAM::Policy AwsSolutions-IAM5[Resource::<FUNCTION.Arn>:*]':
    'CodeDeploy invokes any version of a hook, and a hook of its function, ' +
    'so that no release waits for a right.',
  'SNS::Topic CKV_AWS_26':
    'A message holds an alarm’s name, meaning and state, ' +
    'and CloudWatch cannot publish under the key that AWS manages.',
  'SNS::Subscription Serverless-SNSRedrivePolicy':
    'The dashboard shows an alarm even if its mail was lost, and a queue for lost mails would not be read.',
};

/** In stages without protected data, which can have a user pool of their own. */
const disposableExemptions: Exemptions = {
  'DynamoDB::Table AwsSolutions-DDB3 CKV_AWS_28':
    'The data of this stage is disposable: it is deleted with the stack and loaded again, not restored.',
  'Cognito::UserPool AwsSolutions-COG2':
    'Creating or signing in a user needs a login to this AWS account, ' +
    'which can itself require a second factor.',
  'Cognito::UserPool AwsSolutions-COG8':
    'The Plus plan is charged for each user and protects public sign-ins, which this pool does not allow.',
};

/** Writes the exemptions into a complete stack, in the format of each rule's tool. */
export const acknowledgeExemptions = (stack: Stack, isProtected: boolean): void => {
  const resources = stack.node.findAll().filter((each) => CfnResource.isCfnResource(each));
  const functions = resources.filter((each) => each instanceof CfnFunction);
  const all = Object.entries({ ...exemptions, ...(isProtected ? {} : disposableExemptions) });
  for (const resource of resources) {
    const template = JSON.stringify(stack.resolve(resource._toCloudFormation()));
    const ids = functions
      .map((each) => stack.getLogicalId(each))
      .filter((id) => template.includes(`"${id}"`));
    const own = all.flatMap(([key, reason]) => {
      const [type = '', ...rules] = key.split(' ');
      if (`AWS::${type}` !== resource.cfnResourceType) return [];
      return rules
        .flatMap((rule) => (rule.includes('FUNCTION') ? ids.map((id) => rule.replace('FUNCTION', id)) : rule))
        .map((id) => ({ id, reason }));
    });
    const { nag = [], checkov } = Object.groupBy(own, ({ id }) =>
      id.startsWith('CKV_') ? 'checkov' : 'nag',
    );
    Validations.of(resource).acknowledge(...nag);
    const skip = checkov?.map(({ id, reason }) => ({ id, comment: reason }));
    if (skip !== undefined) resource.addMetadata('checkov', { skip });
  }
};

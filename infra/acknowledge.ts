import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { disposableExemptions, exemptions } from './exemptions.ts';

/** Writes the exemptions into a complete stack, in the format of each rule's tool. */
export const acknowledgeExemptions = (stack: Stack, isProtected: boolean): void => {
  const resources = stack.node.findAll().filter((each) => CfnResource.isCfnResource(each));
  const arns = resources
    .filter((each) => each instanceof CfnFunction)
    .map((each) => `<${stack.getLogicalId(each)}.Arn>`);
  for (const resource of resources) {
    const own = Object.entries({ ...exemptions, ...(isProtected ? {} : disposableExemptions) }).flatMap(
      ([key, reason]) => {
        const [type = '', ...rules] = key.split(' ');
        return resource.cfnResourceType === `AWS::${type}` ? rules.map((id) => ({ id, reason })) : [];
      },
    );
    Validations.of(resource).acknowledge(
      ...own
        .filter(({ id }) => /^(?:AwsSolutions|Serverless)-/.test(id))
        .flatMap(({ id, reason }) =>
          id.includes('<FUNCTION.Arn>')
            ? arns.map((arn) => ({ id: id.replace('<FUNCTION.Arn>', arn), reason }))
            : [{ id, reason }],
        ),
    );
    const checkov = own.filter(({ id }) => id.startsWith('CKV_'));
    if (checkov.length > 0) {
      resource.addMetadata('checkov', { skip: checkov.map(({ id, reason }) => ({ id, comment: reason })) });
    }
    const cfnLint = own.filter(({ id }) => /^[EIW]\d/.test(id));
    if (cfnLint.length > 0) {
      const ignored = cfnLint.map(({ id }) => id);
      resource.addMetadata('cfn-lint', { config: { ignore_checks: ignored }, reasons: cfnLint });
    }
  }
};

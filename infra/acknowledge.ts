import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { disposableExemptions, exemptions } from './exemptions.ts';

/** Writes the exemptions into a complete stack, in the format of each rule's tool. */
export const acknowledgeExemptions = (stack: Stack, isProtected: boolean): void => {
  const resources = stack.node.findAll().filter((each) => CfnResource.isCfnResource(each));
  const functions = resources.filter((each) => each instanceof CfnFunction);
  const ids = functions.map((each) => stack.getLogicalId(each));
  const all = Object.entries({ ...exemptions, ...(isProtected ? {} : disposableExemptions) });
  for (const resource of resources) {
    const template = JSON.stringify(stack.resolve(resource._toCloudFormation()));
    /** Rules about a function are for the functions that the resource names. */
    const own = all.flatMap(([key, reason]) => {
      const [type = '', ...rules] = key.split(' ');
      if (`AWS::${type}` !== resource.cfnResourceType) return [];
      const named = ids.filter((id) => template.includes(`"${id}"`));
      return rules
        .flatMap((rule) =>
          rule.includes('<FUNCTION.Arn>') ? named.map((id) => rule.replace('FUNCTION', id)) : [rule],
        )
        .map((id) => ({ id, reason }));
    });
    const [nag, checkov, lint] = [/^(?:AwsSolutions|Serverless)-/, /^CKV_/, /^[EIW]\d/].map((tool) =>
      own.filter(({ id }) => tool.test(id)),
    );
    if (nag?.length) Validations.of(resource).acknowledge(...nag);
    const skip = checkov?.map(({ id, reason }) => ({ id, comment: reason }));
    if (skip?.length) resource.addMetadata('checkov', { skip });
    const ignored = lint?.map(({ id }) => id);
    if (ignored?.length)
      resource.addMetadata('cfn-lint', { config: { ignore_checks: ignored }, reasons: lint });
  }
};

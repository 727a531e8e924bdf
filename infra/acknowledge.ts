import { CfnResource, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Rules that a resource is exempt from, and why. */
export interface Acknowledgement {
  /** Ids of cdk-nag (`Serverless-LambdaDLQ`), checkov (`CKV_AWS_116`) and cfn-lint (`W3005`). */
  readonly rules: readonly string[];
  /** A complete sentence for reviewers of the template. */
  readonly reason: string;
}

/** Exempts one resource from rules, in the format of each rule's tool. */
export const acknowledge = (construct: IConstruct, ...acknowledgements: readonly Acknowledgement[]): void => {
  const resource = construct.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) throw new Error(`${construct.node.path} is not one resource.`);
  const rulesOf = (tool: RegExp): { readonly id: string; readonly reason: string }[] =>
    acknowledgements.flatMap(({ rules, reason }) =>
      rules.filter((id) => tool.test(id)).map((id) => ({ id, reason })),
    );

  Validations.of(resource).acknowledge(...rulesOf(/^(?:AwsSolutions|Serverless)-/));
  const checkov = rulesOf(/^CKV_/);
  if (checkov.length > 0) {
    resource.addMetadata('checkov', { skip: checkov.map(({ id, reason }) => ({ id, comment: reason })) });
  }
  const cfnLint = rulesOf(/^[EIW]\d/);
  if (cfnLint.length > 0) {
    const ignored = cfnLint.map(({ id }) => id);
    resource.addMetadata('cfn-lint', { config: { ignore_checks: ignored }, reasons: cfnLint });
  }
};

import { readFileSync } from 'node:fs';
import { type Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Stage } from './stage.ts';

const reasons = z.record(z.string(), z.string().endsWith('.'));
const { always, disposable } = z
  .object({ always: reasons, disposable: reasons })
  .parse(parse(readFileSync(new URL('exemptions.yaml', import.meta.url), 'utf8')));

/** Acknowledges the rules that a complete stack breaks, so that only other findings fail the synthesis. */
export const acknowledgeExemptions = (stack: Stack, { data }: Stage): void => {
  const functions = stack.node.findAll().filter((each) => each instanceof CfnFunction);
  for (const [rule, reason] of Object.entries({ ...always, ...(data === 'disposable' && disposable) })) {
    const finding = rule.replace('MANAGED', 'arn:<AWS::Partition>:iam::aws:policy');
    const ids = functions.map((each) => finding.replace('FUNCTION', stack.getLogicalId(each)));
    Validations.of(stack).acknowledge(...ids.map((id) => ({ id, reason })));
  }
};

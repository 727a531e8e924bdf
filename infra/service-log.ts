import type { Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { removalPolicyOf } from './data-policy.ts';
import type { Stage } from './stage-type.ts';

/** A log of the service, kept as long as the stage says. Without a name, CloudFormation chooses one. */
export const serviceLog = (stack: Stack, id: string, stage: Stage, logGroupName?: string): LogGroup =>
  new LogGroup(stack, id, {
    logGroupName,
    retention: stage.logRetentionDays,
    removalPolicy: removalPolicyOf(stage),
    deletionProtectionEnabled: stage.data === 'protected',
  });

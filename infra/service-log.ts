import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from './stage.ts';

/** A log with the stage's retention. That of a stage with protected data outlives the stack. */
export const serviceLog = (scope: Construct, id: string, { data, logRetentionDays }: Stage): LogGroup =>
  new LogGroup(scope, id, {
    retention: logRetentionDays,
    removalPolicy: data === 'protected' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });

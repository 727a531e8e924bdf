import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from './stage-type.ts';

/** Whether a table, a log or a user pool outlives its stack: protected data does. */
export const removalPolicyOf = ({ data }: Stage): RemovalPolicy => {
  switch (data) {
    case 'protected':
      return RemovalPolicy.RETAIN;
    case 'disposable':
      return RemovalPolicy.DESTROY;
  }
};

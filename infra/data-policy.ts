import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from './stage-type.ts';

/** Retains tables, logs and user pools with protected data when their stack is deleted. */
export const removalPolicyOf = ({ data }: Stage): RemovalPolicy => {
  switch (data) {
    case 'protected':
      return RemovalPolicy.RETAIN;
    case 'disposable':
      return RemovalPolicy.DESTROY;
  }
};

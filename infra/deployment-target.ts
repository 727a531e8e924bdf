import { DefaultStackSynthesizer } from 'aws-cdk-lib';
import type { Stage } from './stage.ts';

/**
 * The properties of a stack that say where it is deployed: the account and Region that its stage names, and the stage's
 * own bootstrap. It is typed as any object, because the type of CDK's synthesizer does not fit that of the property under
 * `exactOptionalPropertyTypes`.
 */
export const deploymentTarget = ({ account, region, bootstrapQualifier: qualifier }: Stage): object => ({
  env: { account, region },
  ...(qualifier !== undefined && { synthesizer: new DefaultStackSynthesizer({ qualifier }) }),
});

import { DefaultStackSynthesizer } from 'aws-cdk-lib';
import type { Stage } from './stage.ts';

/**
 * The property of a stack that has its stage's own bootstrap. It is typed as any object, because the type of CDK's
 * synthesizer does not fit that of the property under `exactOptionalPropertyTypes`.
 */
export const ownBootstrap = ({ bootstrapQualifier: qualifier }: Stage): object =>
  qualifier === undefined ? {} : { synthesizer: new DefaultStackSynthesizer({ qualifier }) };

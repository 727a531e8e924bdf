import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { operations } from '../../infra/operations.ts';
import { PlantStoreStack, type PlantStoreStackProps } from '../../infra/plant-store-stack.ts';
import { checkStage, type Stage } from '../../infra/stage-type.ts';
import { stageNamed, stages } from '../../infra/stages.ts';

export { stageNamed, stages };

/** An app that is synthesized faster than by `npm run synth`: without CDK's default rules and tree.json. */
const fastApp = (): App =>
  new App({
    builtinCloudFormationValidation: false,
    treeMetadata: false,
    context: {
      ...CURRENTLY_RECOMMENDED_FLAGS,
      'aws:cdk:enable-asset-metadata': false,
      'aws:cdk:disable-version-reporting': true,
    },
  });

/** The stack of a stage, with a folder in place of each bundle, because bundling takes seconds. */
export const stackOf = (stage: Stage, props: Partial<PlantStoreStackProps> = {}): PlantStoreStack =>
  new PlantStoreStack(fastApp(), `PlantStore-${stage.name}`, {
    stage: checkStage(stage),
    bundle: () => Code.fromAsset('table'),
    commit: 'commit',
    ...props,
  });

const templates = new WeakMap<Stage, Template>();

/** The template of a stage. A stage is synthesized once. */
export const templateOf = (stage: Stage): Template => {
  const template = templates.get(stage) ?? Template.fromStack(stackOf(stage));
  templates.set(stage, template);
  return template;
};

/** The ids of the stack's operations, which are prefixes of the ids of their resources. */
export const operationIds = operations.map(({ id }) => id);

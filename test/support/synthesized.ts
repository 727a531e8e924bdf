import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { checkStage } from '../../infra/stage.ts';
import { PlantStoreStack, type PlantStoreStackProps } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';

export const stageNamed = (name: Stage['name']): Stage => {
  const stage = stages.find((each) => each.name === name);
  if (stage === undefined) throw new Error(`There is no stage ${name}.`);
  return stage;
};

/** An app without bundling, which takes a second for each function. */
const appWithoutBundling = (outdir?: string): App =>
  new App({
    ...(outdir !== undefined && { outdir }),
    context: {
      ...CURRENTLY_RECOMMENDED_FLAGS,
      'aws:cdk:bundling-stacks': [],
      // The metadata names each function's code folder. Only a synthesized assembly needs it.
      'aws:cdk:enable-asset-metadata': outdir !== undefined,
      'aws:cdk:disable-version-reporting': true,
    },
  });

const stackIn = (app: App, stage: Stage, props: Partial<PlantStoreStackProps> = {}): PlantStoreStack =>
  new PlantStoreStack(app, `PlantStore-${stage.name}`, {
    stage: checkStage(stage),
    commit: 'commit',
    ...props,
  });

export const stackOf = (stage: Stage, props?: Partial<PlantStoreStackProps>): PlantStoreStack =>
  stackIn(appWithoutBundling(), stage, props);

const templates = new WeakMap<Stage, Template>();

/** The template of a stage. Each record is synthesized once. */
export const templateOf = (stage: Stage): Template => {
  const template = templates.get(stage) ?? Template.fromStack(stackOf(stage));
  templates.set(stage, template);
  return template;
};

/** The ids of the stack's operations, which begin the ids of what belongs to them. */
export const operationIds = stackOf(stageNamed('local')).operations.map(({ node }) => node.id);

/** Synthesizes one stage into a temporary folder, and removes it after its use. */
export const withAssembly = <Result>(
  stage: Stage,
  use: (assembly: string, stackName: string) => Result,
): Result => {
  const assembly = mkdtempSync(join(tmpdir(), 'plant-store-'));
  try {
    const app = appWithoutBundling(assembly);
    const { stackName } = stackIn(app, stage);
    app.synth();
    return use(assembly, stackName);
  } finally {
    rmSync(assembly, { recursive: true });
  }
};

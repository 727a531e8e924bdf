import { globSync, mkdtempDisposableSync, rmSync } from 'node:fs';
import { App, Validations } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { bundleInto } from './bundle.ts';
import { commitFor } from './commit.ts';
import { acknowledgeFindings } from './findings.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage, type Stage, StageError } from './stage-type.ts';
import { stageNamed, stages as recordedStages } from './stages.ts';

/** The stage that `--context stage=NAME` names, or all recorded stages. */
const stagesOf = (app: App): readonly Stage[] => {
  const name: unknown = app.node.tryGetContext('stage');
  return (typeof name === 'string' ? [stageNamed(name)] : recordedStages).map(checkStage);
};

/** Whether `--context urgent=true` is set, which the command line passes as text, cdk.json as a boolean. */
const isUrgentIn = (app: App): boolean => {
  const urgent = String(app.node.tryGetContext('urgent') ?? false);
  if (urgent !== 'true' && urgent !== 'false')
    throw new StageError('The context "urgent" must be true or false.');
  return urgent === 'true';
};

/**
 * Removes assets and templates of an earlier synthesis, because CDK reuses an asset with the same hash even
 * if its files have other permissions or were copied in part.
 */
const removeEarlierOutput = ({ outdir }: App): void => {
  const earlier = [`asset.${'[0-9a-f]'.repeat(64)}`, 'PlantStore-*.template.json'];
  for (const path of globSync(earlier, { cwd: outdir })) rmSync(`${outdir}/${path}`, { recursive: true });
};

/** Makes the stack of each stage. Findings of cdk-nag without a reason in findings.ts fail the synthesis. */
const addStacks = (app: App, bundles: string): void => {
  const stages = stagesOf(app);
  const isUrgent = isUrgentIn(app);
  const commit = commitFor(stages);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  for (const stage of stages) {
    const bundle = bundleInto(bundles, stage.sourceMaps === true);
    const stack = new PlantStoreStack(app, `PlantStore-${stage.name}`, { stage, bundle, commit, isUrgent });
    acknowledgeFindings(stack, stage);
  }
};

try {
  // Lambda must be able to read the assets, even if the login has a stricter umask.
  process.umask(0o022);
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  removeEarlierOutput(app);
  using bundles = mkdtempDisposableSync(`${app.outdir}/bundles-`);
  addStacks(app, bundles.path);
} catch (error) {
  console.error(error instanceof StageError ? error.message : error);
  // After setting `exitCode` instead, CDK would write incomplete stacks before the process ends.
  process.exit(1);
}

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

/** The stage that `--context stage=NAME` names, or all recorded ones. */
const stagesOf = (app: App): readonly Stage[] => {
  const name: unknown = app.node.tryGetContext('stage');
  return (typeof name === 'string' ? [stageNamed(name)] : recordedStages).map(checkStage);
};

/** Whether `--context urgent=true` is set. The command line passes a text, and a file may have a boolean. */
const isUrgentIn = (app: App): boolean => {
  const urgent = String(app.node.tryGetContext('urgent') ?? false);
  if (urgent !== 'true' && urgent !== 'false')
    throw new StageError('The context "urgent" must be true or false.');
  return urgent === 'true';
};

/**
 * Removes assets and templates of an earlier synthesis: CDK would keep an asset with the same hash, even with
 * other modes or half copied.
 */
const removeEarlierOutput = ({ outdir }: App): void => {
  const earlier = [`asset.${'[0-9a-f]'.repeat(64)}`, 'PlantStore-*.template.json'];
  for (const path of globSync(earlier, { cwd: outdir })) rmSync(`${outdir}/${path}`, { recursive: true });
};

/** Makes the stack of each stage, and makes the synthesis fail on findings that have no reason. */
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
  // Lambda must be able to read the assets, whatever the umask of the login.
  process.umask(0o022);
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  removeEarlierOutput(app);
  using bundles = mkdtempDisposableSync(`${app.outdir}/bundles-`);
  addStacks(app, bundles.path);
} catch (error) {
  console.error(error instanceof StageError ? error.message : error);
  // With `exitCode`, CDK would write the stacks as far as they are made before the process ends.
  process.exit(1);
}

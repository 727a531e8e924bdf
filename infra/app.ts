import { globSync, mkdtempDisposableSync, rmSync } from 'node:fs';
import { App, Validations } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { bundleInto } from './bundle.ts';
import { commitFor } from './commit.ts';
import { acknowledgeFindings } from './findings.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage, StageError } from './stage-settings.ts';
import { stageNamed, stages as recorded } from './stages.ts';

try {
  // Lambda must be able to read the assets.
  process.umask(0o022);
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  // CDK would keep assets of an earlier synthesis, even with other modes or half copied. Templates name them.
  const earlier = [`asset.${'[0-9a-f]'.repeat(64)}`, 'PlantStore-*.template.json'];
  for (const each of globSync(earlier, { cwd: app.outdir }))
    rmSync(`${app.outdir}/${each}`, { recursive: true });
  using bundles = mkdtempDisposableSync(`${app.outdir}/bundles-`);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const name: unknown = app.node.tryGetContext('stage');
  const stages = (typeof name === 'string' ? [stageNamed(name)] : recorded).map(checkStage);
  const urgent = String(app.node.tryGetContext('urgent') ?? false);
  if (!/^(true|false)$/.test(urgent)) throw new StageError('The context "urgent" must be true or false.');
  const isUrgent = urgent === 'true';
  const commit = commitFor(stages);
  for (const stage of stages) {
    const bundle = bundleInto(bundles.path, stage.sourceMaps === true);
    const stack = new PlantStoreStack(app, `PlantStore-${stage.name}`, { stage, bundle, commit, isUrgent });
    acknowledgeFindings(stack, stage);
  }
} catch (error) {
  console.error(error instanceof StageError ? error.message : error);
  // With `exitCode`, CDK would write the stacks as far as they are made before the process ends.
  process.exit(1);
}

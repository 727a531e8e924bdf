import { chmodSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { z } from 'zod';
import { bundleInto } from './bundle.ts';
import { commitFor } from './commit.ts';
import { acknowledgeFindings } from './findings.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage, StageError } from './stage.ts';
import { stageNamed, stages as recorded } from './stages.ts';

/** What a synthesis writes into its folder, which can be any (`--output`). */
const assembly = [
  'asset.*',
  'bundles',
  'cdk.out',
  '{manifest,performance-counters,tree,validation-report}.json',
  'PlantStore-*.json',
];

try {
  // Lambda must be able to read the bundles, and nobody else may change what is deployed.
  process.umask(0o022);
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  // Files of an earlier synthesis would keep their modes.
  chmodSync(app.outdir, 0o755);
  for (const each of globSync(assembly, { cwd: app.outdir }))
    rmSync(join(app.outdir, each), { recursive: true });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const name = z.string().optional().parse(app.node.tryGetContext('stage'));
  const stages = (name === undefined ? recorded : [stageNamed(name)]).map(checkStage);
  const commit = commitFor(stages);
  const isUrgent = app.node.tryGetContext('urgent') === 'true';
  const bundle = bundleInto(join(app.outdir, 'bundles'));
  for (const stage of stages) {
    const stack = new PlantStoreStack(app, `PlantStore-${stage.name}`, { stage, bundle, commit, isUrgent });
    acknowledgeFindings(stack, stage);
  }
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

import { globSync, mkdtempDisposableSync, rmSync } from 'node:fs';
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

try {
  // Lambda must be able to read the assets.
  process.umask(0o022);
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  // CDK would keep assets of an earlier synthesis, even with other modes or half copied. Templates name them.
  const earlier = [`asset.${'[0-9a-f]'.repeat(64)}`, 'PlantStore-*.template.json'];
  for (const each of globSync(earlier, { cwd: app.outdir }))
    rmSync(join(app.outdir, each), { recursive: true });
  using bundles = mkdtempDisposableSync(join(app.outdir, 'bundles-'));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const name = z.string().optional().parse(app.node.tryGetContext('stage'));
  const names = name === undefined ? recorded.map((stage) => stage.name) : [name];
  const stages = names.map((each) => checkStage(stageNamed(each)));
  const commit = commitFor(stages);
  const urgent = z.enum(['true', 'false']).default('false').safeParse(app.node.tryGetContext('urgent'));
  if (!urgent.success) throw new StageError('The context "urgent" must be true or false.');
  const isUrgent = urgent.data === 'true';
  for (const stage of stages) {
    const bundle = bundleInto(bundles.path, stage.sourceMaps === true);
    const stack = new PlantStoreStack(app, `PlantStore-${stage.name}`, { stage, bundle, commit, isUrgent });
    acknowledgeFindings(stack, stage);
  }
} catch (error) {
  console.error(error instanceof StageError ? error.message : error);
  process.exitCode = 1;
}

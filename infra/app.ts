import { chmodSync, globSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { z } from 'zod';
import { checkedOutCommit } from './commit.ts';
import { acknowledgeExemptions } from './exemptions.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage, personalStage, type Stage, StageError } from './stage.ts';
import { dev, stages } from './stages.ts';

/** All stages that have a record, or the one that `--context stage=NAME` names, which may be personal. */
const stagesOf = (name: string | undefined): readonly Stage[] =>
  name === undefined ? stages : [stages.find((stage) => stage.name === name) ?? personalStage(dev, name)];

/** The mode bits that let the group or others write. */
const othersWrite = 0o022;

/** Removes the earlier bundles that another user could have changed, because CDK would reuse them. */
const removeWritableAssets = (assembly: string): void => {
  const isWritable = (path: string): boolean => (lstatSync(join(assembly, path)).mode & othersWrite) !== 0;
  for (const asset of globSync(['asset.*', 'bundling-temp-*'], { cwd: assembly })) {
    const files = globSync(`${asset}/**`, { cwd: assembly });
    if (['.', asset, ...files].some(isWritable)) rmSync(join(assembly, asset), { recursive: true });
  }
  chmodSync(assembly, lstatSync(assembly).mode & ~othersWrite);
};

try {
  // Only the owner can change what is deployed. A stricter umask of the user stays.
  process.umask(process.umask(othersWrite) | othersWrite);
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  removeWritableAssets(app.outdir);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const commit = checkedOutCommit();
  const isUrgent = app.node.tryGetContext('urgent') === 'true';
  const name = z.string().optional().parse(app.node.tryGetContext('stage'));
  for (const stage of stagesOf(name).map(checkStage)) {
    const stack = new PlantStoreStack(app, `PlantStore-${stage.name}`, { stage, commit, isUrgent });
    acknowledgeExemptions(stack, stage);
  }
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

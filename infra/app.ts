import { chmodSync, globSync, lstatSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { z } from 'zod';
import { checkedOutCommit } from './commit.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage, personalStage, type Stage, StageError } from './stage.ts';
import { dev, stages } from './stages.ts';

/**
 * All stages that have a record, or the one that `--context stage=NAME` names, which may be personal.
 * @throws {StageError} when there is no such stage
 */
const stagesOf = (name: string | undefined): readonly Stage[] => {
  if (name === undefined) return stages;
  const found = stages.find((stage) => stage.name === name);
  if (found) return [found];
  if (name.startsWith('dev-')) return [personalStage(dev, name)];
  const names = stages.map((stage) => stage.name).join(', ');
  throw new StageError(`There is no stage "${name}": choose ${names} or a personal one such as dev-anna.`);
};

/** The mode bits that let the group or others write. */
const othersWrite = 0o022;

/** Removes the earlier bundles that another user could have changed: CDK does not bundle them again. */
const removeWritableAssets = (assembly: string): void => {
  const isWritable = (path: string): boolean =>
    ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & othersWrite) !== 0;
  const folderIsWritable = isWritable(assembly);
  for (const entry of globSync(['asset.*', 'asset.*/**', 'bundling-temp-*'], { cwd: assembly })) {
    const [asset = entry] = entry.split(sep);
    if (folderIsWritable || isWritable(join(assembly, entry)))
      rmSync(join(assembly, asset), { recursive: true, force: true });
  }
  if (folderIsWritable) chmodSync(assembly, 0o755);
};

try {
  // Only the owner can change what is deployed. A stricter umask of the user stays.
  process.umask(process.umask(othersWrite) | othersWrite);
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  removeWritableAssets(app.outdir);
  Validations.of(app).addPlugins(
    // Each resource lists its exemptions and their reasons in the template.
    new AwsSolutionsChecks(app, { writeSuppressionsToCloudFormation: true }),
    new ServerlessChecks(app),
  );
  const commit = checkedOutCommit();
  const isUrgent = app.node.tryGetContext('urgent') === 'true';
  const name = z.string().optional().parse(app.node.tryGetContext('stage'));
  for (const stage of stagesOf(name).map(checkStage)) {
    new PlantStoreStack(app, `PlantStore-${stage.name}`, { stage, commit, isUrgent });
  }
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

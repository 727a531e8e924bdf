import { App, Validations } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { deployedCommit } from './commit.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage, StageError } from './stage.ts';
import { stages } from './stages.ts';

try {
  const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
  Validations.of(app).addPlugins(
    // Each resource lists its exemptions and their reasons in the template.
    new AwsSolutionsChecks(app, { writeSuppressionsToCloudFormation: true }),
    new ServerlessChecks(app),
  );
  const commit = deployedCommit();
  // `--context stage=<name>` skips the other stages, which `npm start` does not need.
  const only: unknown = app.node.tryGetContext('stage');
  for (const stage of stages.map(checkStage)) {
    if (only !== undefined && only !== stage.name) continue;
    new PlantStoreStack(app, `PlantStore-${stage.name}`, { stage, commit });
  }
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

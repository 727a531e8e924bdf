import { App, Validations } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { deployedCommit } from './commit.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkLogin, selectedStages, selectionFrom, stackNameOf } from './selection.ts';
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
  const selection = selectionFrom(app.node.getAllContext());
  const selected = selectedStages(stages.map(checkStage), selection);
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  checkLogin(selected, selection, { account, region });
  for (const stage of selected) new PlantStoreStack(app, stackNameOf(stage), { stage, commit });
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

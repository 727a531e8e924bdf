import { App } from 'aws-cdk-lib';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage, StageError } from './stage.ts';
import { stages } from './stages.ts';

try {
  const app = new App();
  for (const stage of stages.map(checkStage)) new PlantStoreStack(app, `PlantStore-${stage.name}`, stage);
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

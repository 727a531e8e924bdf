import { CfnOutput, Duration, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceApi } from './http-api.ts';
import { Alarms } from './monitoring/alarms.ts';
import { Operation, type Service } from './operation.ts';
import { operations } from './operations.ts';
import { plantsTable } from './plants-table.ts';
import { releaseByCanary } from './release.ts';
import { ServiceFunction, serviceLog } from './service-function.ts';
import { type Stage, StageError } from './stage.ts';
import { tokenEnvironment, userPool } from './tokens.ts';

export interface PlantStoreStackProps {
  readonly stage: Stage;
  /** The commit that is deployed. */
  readonly commit: string;
  /** Whether new versions get all requests at once, without check and alarms, as in a rollback. */
  readonly isUrgent?: boolean;
}

/** The service of one stage, in one stack because `sam local` finds the authorizer only beside the API. */
export class PlantStoreStack extends Stack {
  readonly operations: readonly Operation[];

  /** @throws {StageError} when the stage's record names a function that the stack does not have */
  constructor(scope: Construct, id: string, { stage, commit, isUrgent = false }: PlantStoreStackProps) {
    const isProtected = stage.data === 'protected';
    super(scope, id, {
      description: `Plant Store Service, ${stage.name}`,
      terminationProtection: isProtected,
      // CDK reads `account` and `region`.
      env: stage,
    });
    const table = plantsTable(this, stage);
    const { tokens, outputs: signIn } =
      stage.tokens.profile === 'own-user-pool' ? userPool(this) : { tokens: stage.tokens, outputs: {} };
    const authorizer = new ServiceFunction(this, 'Authorizer', {
      stage,
      folder: 'authorizer',
      description: 'Decides who may call the API',
      // Chosen like the operations' (infra/operation.ts).
      memoryMb: 512,
      timeout: Duration.seconds(5),
      check: { CHECK: 'authorizer', TOKEN_ALGORITHMS: tokens.algorithms.join(',') },
      environment: {
        ...tokenEnvironment(tokens),
        // Unique, stable, and visible only to users of the account, so no secret needs to be stored.
        CALLER_ID_SALT: this.stackId,
      },
    });
    // The prefix keeps the account's resource policy for logs within its limit (docs/decisions.md).
    // The stack's id makes the name unique: a retained log must not block a new stack.
    const logGroupName = `/aws/vendedlogs/${id}-${Fn.select(2, Fn.split('/', this.stackId))}`;
    const accessLog = serviceLog(this, 'AccessLog', stage, { logGroupName });
    const api = new ServiceApi(this, 'Api', stage, authorizer, accessLog);
    const service: Service = { stage, api, authorizer, table, accessLog };

    this.operations = operations.map((each) => new Operation(this, service, each));

    const isNotifying = stage.alarmRecipients.length > 0;
    if (stage.release === 'canary' || isNotifying) {
      const { rollback } = new Alarms(this, 'Alarms', service, this.operations);
      // The ids that are deployed: with new ones, CloudFormation would replace the filters.
      this.renameLogicalId('ListPlantsRetryableErrorsFilterDF35C57B', 'AlarmsRetryableErrorsFilterF3E227CB');
      if (isNotifying)
        this.renameLogicalId('ListPlantsDamagedItemsFilter54ABB1A2', 'AlarmsDamagedItemsFilter7E097929');
      if (stage.release === 'canary') releaseByCanary(this, stage, rollback, isUrgent);
    }
    // For the smoke test, the command line and the runbook.
    const outputs = {
      BaseUrl: api.baseUrl,
      ApiId: api.apiId,
      Issuer: tokens.issuer,
      ...signIn,
      TableName: table.tableName,
      Commit: commit,
      AuthorizerFunction: authorizer.functionName,
      ...Object.fromEntries(this.operations.map(({ output, functionName }) => [output, functionName])),
    };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(this, key, { value });
    for (const each of Object.keys(stage.memoryMb)) {
      if (this.node.tryFindChild(each) instanceof ServiceFunction) continue;
      throw new StageError(
        `Stage "${stage.name}": memoryMb.${each}: must be the id of a function ` +
          'in infra/plant-store-stack.ts. Correct it in infra/stages.ts.',
      );
    }
  }
}

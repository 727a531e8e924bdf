import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { Construct } from 'constructs';
import { acknowledgeExemptions } from './acknowledge.ts';
import { httpApi } from './http-api.ts';
import { Alarms } from './monitoring/alarms.ts';
import { Operation, type Service } from './operation.ts';
import { plantsTable } from './plants-table.ts';
import { releaseByCanary } from './release.ts';
import { ServiceFunction } from './service-function.ts';
import { serviceLog } from './service-log.ts';
import { type Stage, StageError } from './stage.ts';
import { tokenEnvironment } from './token-environment.ts';
import { userPool } from './user-pool.ts';

export interface PlantStoreStackProps {
  readonly stage: Stage;
  /** The commit that is deployed. */
  readonly commit: string;
  /** Whether new versions get all requests at once, without a check and whatever alarms say, as in a rollback. */
  readonly isUrgent?: boolean;
}

/** The service of one stage: API, authorizer, operations and table, in one stack so that `sam local` finds the authorizer. */
export class PlantStoreStack extends Stack {
  readonly operations: readonly Operation[];

  /** @throws {StageError} when the stage's record names a function that the stack does not have */
  constructor(scope: Construct, id: string, { stage, commit, isUrgent = false }: PlantStoreStackProps) {
    const isProtected = stage.data === 'protected';
    super(scope, id, {
      description: `Plant Store Service, ${stage.name}`,
      terminationProtection: isProtected,
      // Of the record, CDK reads `account` and `region`.
      env: stage,
    });
    const table = plantsTable(this, stage);
    const tokens =
      stage.tokens.profile === 'own-user-pool'
        ? userPool(this)
        : { environment: tokenEnvironment(stage.tokens), outputs: {} };
    const authorizer = new ServiceFunction(this, 'Authorizer', {
      stage,
      folder: 'authorizer',
      description: 'Decides who may call the API',
      // Chosen as the operations' (infra/operation.ts).
      memoryMb: 512,
      timeout: Duration.seconds(5),
      environment: {
        ...tokens.environment,
        // Unique, stable and known only to those with access to the account, so it needs no secret to be stored.
        CALLER_ID_SALT: this.stackId,
      },
    });
    const accessLog = serviceLog(this, 'AccessLog', stage);
    const api = httpApi(this, stage, authorizer, accessLog);
    const canary =
      stage.release === 'canary'
        ? { application: new LambdaApplication(this, 'Releases'), isUrgent }
        : undefined;
    const service: Service = { ...api, stage, table, canary };

    this.operations = [
      new Operation(this, 'ListPlants', {
        service,
        route: 'GET /plants',
        folder: 'list-plants',
        description: 'Lists the plants the caller has access to',
        queries: ['table'],
        withoutPlants: '200 []',
        output: 'ListFunction',
      }),
    ];

    if (canary !== undefined || stage.alarmEmails.length > 0) {
      const watched = { api: api.api, authorizer, operations: this.operations, table, accessLog };
      const { rollback } = new Alarms(this, 'Alarms', { stage, service: watched });
      // Logical ids that are deployed: under new ones, CloudFormation would replace the filters.
      this.renameLogicalId('ListPlantsRetryableErrorsFilterDF35C57B', 'AlarmsRetryableErrorsFilterF3E227CB');
      this.renameLogicalId('ListPlantsDamagedItemsFilter54ABB1A2', 'AlarmsDamagedItemsFilter7E097929');
      if (canary !== undefined) {
        const check = { CHECK: 'authorizer', TOKEN_ALGORITHMS: tokens.environment.TOKEN_ALGORITHMS } as const;
        releaseByCanary(authorizer, { ...canary, stage, rollback, check });
      }
    }
    // The smoke test, the command line and the runbook read them.
    const outputs = {
      BaseUrl: api.baseUrl,
      ApiId: api.api.apiId,
      Issuer: tokens.environment.TOKEN_ISSUER,
      ...tokens.outputs,
      TableName: table.tableName,
      Commit: commit,
      AuthorizerFunction: authorizer.functionName,
      ...Object.fromEntries(this.operations.map(({ output, functionName }) => [output, functionName])),
    };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(this, key, { value });
    this.#checkMemoryOf(stage);
    acknowledgeExemptions(this, isProtected);
  }

  #checkMemoryOf({ name, memoryMb }: Stage): void {
    for (const functionId of Object.keys(memoryMb)) {
      if (this.node.tryFindChild(functionId) instanceof ServiceFunction) continue;
      throw new StageError(
        `Stage "${name}": memoryMb.${functionId} must be of a function in infra/plant-store-stack.ts. Correct it in infra/stages.ts.`,
      );
    }
  }
}

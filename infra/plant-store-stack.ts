import { type App, CfnOutput, Duration, RemovalPolicies, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Bundle } from './bundle.ts';
import { ServiceApi } from './http-api.ts';
import { notifyOnAlarms } from './monitoring/alarms.ts';
import { Operation } from './operation-function.ts';
import { authorizerTimeoutSeconds, operations as definitions } from './operations.ts';
import { plantsTable } from './plants-table.ts';
import { releaseByCanary } from './release.ts';
import { ServiceFunction } from './service-function.ts';
import type { IssuedTokens, Stage } from './stage-settings.ts';
import { tokenEnvironment, userPoolTokens } from './tokens.ts';

export interface PlantStoreStackProps {
  readonly stage: Stage;
  readonly bundle: Bundle;
  /** The commit that is deployed. */
  readonly commit: string;
  /** Whether new versions get all requests at once, without check and alarms, as in a rollback. */
  readonly isUrgent?: boolean;
}

/** The service of one stage, in one stack because `sam local` finds the authorizer only beside the API. */
export class PlantStoreStack extends Stack {
  readonly stage: Stage;
  readonly bundle: Bundle;
  readonly table: ITable;
  readonly tokens: IssuedTokens;
  readonly authorizer: ServiceFunction;
  readonly api: ServiceApi;
  readonly operations: readonly Operation[];

  constructor(app: App, id: string, { stage, bundle, commit, isUrgent = false }: PlantStoreStackProps) {
    super(app, id, {
      description: `Plant Store Service, ${stage.name}`,
      terminationProtection: stage.data === 'protected',
      env: { account: stage.account, region: stage.region },
    });
    this.stage = stage;
    this.bundle = bundle;
    // CDK keeps these otherwise.
    const kept = ['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool', 'AWS::Logs::LogGroup'];
    if (stage.data === 'disposable') RemovalPolicies.of(this).destroy({ applyToResourceTypes: kept });
    // Each part reads those above it.
    this.table = plantsTable(this, stage);
    this.tokens = stage.tokens.profile === 'own-user-pool' ? userPoolTokens(this) : stage.tokens;
    this.authorizer = new ServiceFunction(this, 'Authorizer', 'authorizer', {
      description: 'Decides who may call the API',
      // Chosen like the operations' (infra/operation-function.ts).
      memorySize: 512,
      timeout: Duration.seconds(authorizerTimeoutSeconds),
      // The salt is unique, stable, and visible only to users of the account: no secret need be stored.
      environment: { ...tokenEnvironment(this.tokens), CALLER_ID_SALT: this.stackId },
    });
    this.api = new ServiceApi(this);
    this.operations = definitions.map((each) => new Operation(this, each));
    if (stage.release === 'canary') releaseByCanary(this, isUrgent);
    if (stage.alarmRecipients?.length) notifyOnAlarms(this);

    // For the smoke test, the command line and the runbook.
    const baseUrl = stage.domain === undefined ? this.api.apiEndpoint : `https://${stage.domain.name}`;
    new CfnOutput(this, 'BaseUrl', { value: baseUrl });
    new CfnOutput(this, 'ApiId', { value: this.api.apiId });
    new CfnOutput(this, 'Issuer', { value: this.tokens.issuer });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'Commit', { value: commit });
    new CfnOutput(this, 'AuthorizerFunction', { value: this.authorizer.functionName });
  }
}

import { CfnOutput, Duration, RemovalPolicies, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Bundle } from './bundle.ts';
import { ServiceApi } from './http-api.ts';
import { notifyOnAlarms } from './monitoring/alarms.ts';
import { Operation } from './operation.ts';
import { authorizerTimeoutSeconds, operations as definitions } from './operations.ts';
import { plantsTable } from './plants-table.ts';
import { releaseByCanary } from './release.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
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
  constructor(scope: Construct, id: string, props: PlantStoreStackProps) {
    const { stage, bundle, commit, isUrgent = false } = props;
    super(scope, id, {
      description: `Plant Store Service, ${stage.name}`,
      terminationProtection: stage.data === 'protected',
      env: { account: stage.account, region: stage.region },
    });
    // CDK keeps these otherwise.
    const kept = ['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool', 'AWS::Logs::LogGroup'];
    if (stage.data === 'disposable') RemovalPolicies.of(this).destroy({ applyToResourceTypes: kept });
    const table = plantsTable(this, stage);
    const tokens = stage.tokens.profile === 'own-user-pool' ? userPoolTokens(this) : stage.tokens;
    const authorizer = new ServiceFunction(this, 'Authorizer', {
      stage,
      code: bundle('authorizer'),
      description: 'Decides who may call the API',
      // Chosen like the operations' (infra/operation.ts).
      memorySize: 512,
      timeout: Duration.seconds(authorizerTimeoutSeconds),
      // The salt is unique, stable, and visible only to users of the account: no secret must be stored.
      environment: { ...tokenEnvironment(tokens), CALLER_ID_SALT: this.stackId },
    });
    const api = new ServiceApi(this, 'Api', stage, authorizer);
    const parts = { stage, bundle, table, tokens, authorizer, api };
    const operations = definitions.map((each) => new Operation(this, each, parts));
    const service = { ...parts, operations };
    if (stage.release === 'canary') releaseByCanary(this, service, isUrgent);
    if (stage.alarmRecipients?.length) notifyOnAlarms(this, service);

    // For the smoke test, the command line and the runbook.
    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'ApiId', { value: api.apiId });
    new CfnOutput(this, 'Issuer', { value: tokens.issuer });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'Commit', { value: commit });
    new CfnOutput(this, 'AuthorizerFunction', { value: authorizer.functionName });
  }
}

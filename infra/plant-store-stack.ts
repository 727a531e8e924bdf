import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import { authorizerFunction } from './authorizer-function.ts';
import type { Bundle } from './bundle.ts';
import { ServiceApi } from './http-api.ts';
import { notifyOnAlarms } from './monitoring/alarms.ts';
import { addLogMetrics } from './monitoring/log-metrics.ts';
import { serviceMetrics } from './monitoring/metrics.ts';
import type { OperationDefinition } from './operation-definition.ts';
import { OperationFunction } from './operation-function.ts';
import { operations as allOperations } from './operations.ts';
import { plantsTable } from './plants-table.ts';
import { releaseByCanary } from './release.ts';
import type { Stage } from './stage-type.ts';
import { userPoolTokens } from './user-pool.ts';

export interface PlantStoreStackProps {
  readonly stage: Stage;
  readonly bundle: Bundle;
  /** The commit that is deployed. */
  readonly commit: string;
  /** Whether new versions get all requests at once, without hook and rollback alarms, as in a rollback. */
  readonly isUrgent?: boolean;
  /** The operations of the API; default: all. */
  readonly definitions?: readonly OperationDefinition[];
}

/** The service of one stage, in one stack because `sam local` finds the authorizer only beside the API. */
export class PlantStoreStack extends Stack {
  constructor(app: App, id: string, props: PlantStoreStackProps) {
    const { stage, bundle, commit, isUrgent = false, definitions = allOperations } = props;
    super(app, id, {
      description: `Plant Store Service, ${stage.name}`,
      terminationProtection: stage.data === 'protected',
      // CloudFormation gives the stack's tags to each resource that can have tags, for bills and searches.
      tags: { service: 'plant-store', stage: stage.name },
      env: { account: stage.account, region: stage.region },
    });
    const settings = { stage, bundle };
    const table = plantsTable(this, stage);
    const tokens = stage.tokens.profile === 'own-user-pool' ? userPoolTokens(this, stage) : stage.tokens;
    const authorizer = authorizerFunction(this, { ...settings, tokens });
    const api = new ServiceApi(this, { stage, authorizer, definitions });
    const operations = definitions.map(
      (definition) => new OperationFunction(this, { ...settings, definition, table, api }),
    );
    const service = { authorizer, api, operations };
    const isCanary = stage.release === 'canary';
    const hasRecipients = (stage.alarmRecipients ?? []).length > 0;
    if (isCanary || hasRecipients) {
      const metrics = serviceMetrics(service, addLogMetrics(service));
      if (isCanary) releaseByCanary(this, { ...settings, service, metrics, tokens, isUrgent });
      if (hasRecipients) notifyOnAlarms(this, { stage, service, metrics });
    }

    // The smoke test, the command line and the runbook read these outputs.
    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'ApiId', { value: api.apiId });
    new CfnOutput(this, 'Issuer', { value: tokens.issuer });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'Commit', { value: commit });
    new CfnOutput(this, 'AuthorizerFunction', { value: authorizer.functionName });
  }
}

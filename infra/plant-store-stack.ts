import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { plantIndex } from '../table/plant-index.ts';
import { acknowledgeExemptions } from './acknowledge.ts';
import { httpApi } from './http-api.ts';
import { Alarms } from './monitoring/alarms.ts';
import { release } from './release.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import { tokenEnvironment } from './token-environment.ts';

export interface PlantStoreStackProps {
  readonly stage: Stage;
  /** The commit that is deployed. */
  readonly commit: string;
  /** Whether new versions get all requests at once, without a check and whatever alarms say, as in a rollback. */
  readonly isUrgent?: boolean;
}

/** The service of one stage: HTTP API, authorizer, list function and table, in one stack so that `sam local` finds the authorizer. */
export class PlantStoreStack extends Stack {
  constructor(scope: Construct, id: string, { stage, commit, isUrgent = false }: PlantStoreStackProps) {
    const isProtected = stage.data === 'protected';
    super(scope, id, {
      description: `Plant Store Service, ${stage.name}`,
      terminationProtection: isProtected,
      // Of the record, CDK reads `account` and `region`.
      env: stage,
    });
    const logGroup = (logId: string): LogGroup =>
      new LogGroup(this, logId, {
        retention: stage.logRetentionDays,
        removalPolicy: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      });

    const table = plantsTable(this, stage);
    const listPlants = new ServiceFunction(this, 'ListPlants', {
      stage,
      folder: 'list-plants',
      description: 'Lists the plants the caller has access to',
      memoryMb: stage.listPlants.memoryMb,
      // Shorter than the gateway's 30 s, longer than three attempts of 2 s at the store.
      timeout: Duration.seconds(10),
      environment: {
        TABLE_NAME: table.tableName,
        // The host names of AWS differ between its partitions, such as that of China.
        AWS_ENDPOINT_URL_DYNAMODB: stage.storeEndpoint ?? `https://dynamodb.${this.region}.${this.urlSuffix}`,
      },
      logGroup: logGroup('ListPlantsLog'),
    });
    // table.grant would also grant the index, and grantReadData Scan, GetItem and the table's stream.
    listPlants.addToRolePolicy(
      new PolicyStatement({ actions: ['dynamodb:Query'], resources: [table.tableArn] }),
    );

    const tokens = tokenEnvironment(this, stage.tokens);
    const authorizer = new ServiceFunction(this, 'Authorizer', {
      stage,
      folder: 'authorizer',
      description: 'Decides who may call the API',
      memoryMb: stage.authorizer.memoryMb,
      timeout: Duration.seconds(5),
      environment: tokens,
      hookEnvironment: { TOKEN_ALGORITHMS: tokens.TOKEN_ALGORITHMS },
      logGroup: logGroup('AuthorizerLog'),
    });

    const functions = { listPlants, authorizer };
    const accessLog = logGroup('AccessLog');
    const { api, baseUrl } = httpApi(this, stage, functions, accessLog);
    // The smoke test, the command line and the runbook read them.
    const outputs = {
      BaseUrl: baseUrl,
      TableName: table.tableName,
      Commit: commit,
      ApiId: api.apiId,
      ListFunction: listPlants.functionName,
      AuthorizerFunction: authorizer.functionName,
    };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(this, key, { value });

    if (stage.alarmEmails.length > 0 || stage.release === 'canary') {
      const { rollback } = new Alarms(this, 'Alarms', { stage, commit, api, functions, table, accessLog });
      if (stage.release === 'canary') {
        release(this, { stage, functions, logGroup, rollback, isUrgent });
      }
    }
    acknowledgeExemptions(this, isProtected);
  }
}

/** The stage's table: its own, or the existing one that its record names, to which a deployment changes nothing. */
const plantsTable = (scope: Construct, stage: Stage): Pick<ITable, 'tableName' | 'tableArn'> => {
  const { data, tableName } = stage;
  if (tableName !== undefined) return Table.fromTableName(scope, 'Plants', tableName);
  const isProtected = data === 'protected';
  const table = new Table(scope, 'Plants', {
    partitionKey: { name: 'principal', type: AttributeType.STRING },
    sortKey: { name: 'sortKey', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProtected },
    deletionProtection: isProtected,
    removalPolicy: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  // For the command line. The service itself does not read it.
  table.addGlobalSecondaryIndex({
    indexName: plantIndex.name,
    partitionKey: { name: plantIndex.partitionKey, type: AttributeType.STRING },
    sortKey: { name: plantIndex.sortKey, type: AttributeType.STRING },
    projectionType: ProjectionType.KEYS_ONLY,
  });
  return table;
};

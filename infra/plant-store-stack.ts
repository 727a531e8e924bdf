import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { plantIndex } from '../table/plant-index.ts';
import { acknowledge, type Acknowledgement } from './acknowledge.ts';
import { deploymentTarget } from './deployment-target.ts';
import { alarmTopic } from './monitoring/alarm-topic.ts';
import { Alarms } from './monitoring/alarms.ts';
import { monthlyBudget } from './monitoring/budget.ts';
import { serviceDashboard } from './monitoring/dashboard.ts';
import { releaseByCanary } from './release.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import { tokenEnvironment } from './token-environment.ts';

export interface PlantStoreStackProps {
  readonly stage: Stage;
  /** The commit that is deployed. */
  readonly commit: string;
}

/** The service of one stage: HTTP API, authorizer, list function and table, in one stack so that `sam local` finds the authorizer. */
export class PlantStoreStack extends Stack {
  constructor(scope: Construct, id: string, { stage, commit }: PlantStoreStackProps) {
    const isProtected = stage.data === 'protected';
    super(scope, id, {
      description: `Plant Store Service, ${stage.name}`,
      terminationProtection: isProtected,
      ...deploymentTarget(stage),
    });
    const removalPolicy = isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const logGroup = (logId: string): LogGroup => {
      const group = new LogGroup(this, logId, { retention: stage.logRetentionDays, removalPolicy });
      acknowledge(group, {
        rules: ['CKV_AWS_158'],
        reason:
          'CloudWatch encrypts it with its own key, and no token, claim or plant name is written to it.',
      });
      return group;
    };

    const table = new Table(this, 'Plants', {
      partitionKey: { name: 'principal', type: AttributeType.STRING },
      sortKey: { name: 'sortKey', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProtected },
      deletionProtection: isProtected,
      removalPolicy,
    });
    // For the command line. The service itself does not read it.
    table.addGlobalSecondaryIndex({
      indexName: plantIndex.name,
      partitionKey: { name: plantIndex.partitionKey, type: AttributeType.STRING },
      sortKey: { name: plantIndex.sortKey, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    acknowledge(
      table,
      {
        rules: ['CKV_AWS_119'],
        reason:
          'DynamoDB encrypts it with its own key, and a key of the account would make each list depend on KMS as well.',
      },
      ...(isProtected ? [] : [disposableData]),
    );

    const logGroups = {
      listPlants: logGroup('ListPlantsLog'),
      authorizer: logGroup('AuthorizerLog'),
      access: logGroup('AccessLog'),
    };
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
      logGroup: logGroups.listPlants,
      commit,
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
      logGroup: logGroups.authorizer,
      commit,
    });

    const api = new HttpApi(this, 'Api', {
      apiName: id,
      createDefaultStage: false,
      ...(stage.corsOrigins.length > 0 && {
        corsPreflight: {
          allowOrigins: [...stage.corsOrigins],
          allowMethods: [CorsHttpMethod.GET],
          allowHeaders: ['authorization'],
          exposeHeaders: ['link', 'retry-after', 'apigw-requestid'],
          maxAge: Duration.hours(1),
        },
      }),
    });
    api.addRoutes({
      path: '/plants',
      methods: [HttpMethod.GET],
      integration: new HttpLambdaIntegration('ListPlantsIntegration', listPlants.live),
      authorizer: new HttpLambdaAuthorizer('BearerAuthorizer', authorizer.live, {
        responseTypes: [HttpLambdaResponseType.SIMPLE],
        identitySource: ['$request.header.Authorization'],
        resultsCacheTtl: Duration.seconds(stage.authorizerCacheSeconds),
      }),
    });
    const defaultStage = new HttpStage(this, 'DefaultStage', {
      httpApi: api,
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroups.access),
        format: accessLogFormat,
      },
    });
    if (stage.domain) {
      const domainName = new DomainName(this, 'Domain', {
        domainName: stage.domain.name,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', stage.domain.certificateArn),
      });
      acknowledge(new ApiMapping(this, 'DomainMapping', { api, domainName, stage: defaultStage }), {
        rules: ['W3005'],
        reason:
          'CDK makes the mapping depend on its domain name, although the reference to the name would suffice.',
      });
      new CfnOutput(this, 'DomainTarget', { value: domainName.regionalDomainName });
    }

    new CfnOutput(this, 'BaseUrl', {
      // A wildcard is no address.
      value: stage.domain?.name.startsWith('*') === false ? `https://${stage.domain.name}` : api.apiEndpoint,
    });
    new CfnOutput(this, 'TableName', { value: table.tableName });

    if (stage.alarmEmails === undefined) return;
    const alarms = new Alarms(this, 'Alarms', {
      api,
      listPlants,
      authorizer,
      table,
      logGroups,
      topic: alarmTopic(this, stage.alarmEmails),
      commit,
    });
    serviceDashboard(this, alarms);
    if (stage.alarmEmails.length > 0) monthlyBudget(this, stage.monthlyBudgetDollars, stage.alarmEmails);
    if (stage.release !== 'canary') return;
    releaseByCanary(this, { stage, commit, listPlants, authorizer, tokens, logGroup, alarms });
  }
}

const disposableData: Acknowledgement = {
  rules: ['AwsSolutions-DDB3', 'CKV_AWS_28'],
  reason:
    'The data of this stage is disposable: it is deleted with the stack and loaded again, not restored.',
};

/**
 * The route without path and query string, because a cursor holds a plant name. `integrationRequestId` is in the lines of
 * the list function, and `requestId` in those of the authorizer.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    time: '$context.requestTime',
    route: '$context.routeKey',
    status: '$context.status',
    responseLength: '$context.responseLength',
    latencyMs: '$context.responseLatency',
    integrationStatus: '$context.integration.status',
    integrationLatencyMs: '$context.integration.latency',
    integrationRequestId: '$context.integration.requestId',
    integrationError: '$context.integrationErrorMessage',
    authorizerError: '$context.authorizer.error',
    callerId: '$context.authorizer.callerId',
  }),
);

import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

/** The service of one stage: HTTP API, authorizer, list function and table, in one stack so that `sam local` finds the authorizer. */
export class PlantStoreStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { description: `Plant Store Service, ${stage.name}` });
    const isProtected = stage.data === 'protected';
    const removalPolicy = isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const logGroup = (logId: string): LogGroup =>
      new LogGroup(this, logId, { retention: stage.logRetentionDays, removalPolicy });

    const table = new Table(this, 'Plants', {
      partitionKey: { name: 'principal', type: AttributeType.STRING },
      sortKey: { name: 'sortKey', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProtected },
      deletionProtection: isProtected,
      removalPolicy,
    });

    const listPlants = new ServiceFunction(this, 'ListPlants', {
      stage,
      folder: 'list-plants',
      description: 'Lists the plants the caller has access to',
      memoryMb: stage.listPlants.memoryMb,
      // Inside the gateway's 30 s; around three attempts of 2 s at the store.
      timeout: Duration.seconds(10),
      environment: {
        TABLE_NAME: table.tableName,
        ...(stage.storeEndpoint !== undefined && { AWS_ENDPOINT_URL_DYNAMODB: stage.storeEndpoint }),
      },
      logGroup: logGroup('ListPlantsLog'),
    });
    // Not grantReadData, which also grants Scan, GetItem and the table's stream.
    table.grant(listPlants, 'dynamodb:Query');

    const authorizer = new ServiceFunction(this, 'Authorizer', {
      stage,
      folder: 'authorizer',
      description: 'Decides who may call the API',
      memoryMb: stage.authorizer.memoryMb,
      timeout: Duration.seconds(5),
      environment: tokenEnvironment(stage.tokens),
      logGroup: logGroup('AuthorizerLog'),
    });

    const api = new HttpApi(this, 'Api', {
      apiName: id,
      createDefaultStage: false,
      ...(stage.corsOrigins.length > 0 && {
        corsPreflight: {
          allowOrigins: [...stage.corsOrigins],
          allowMethods: [CorsHttpMethod.GET],
          allowHeaders: ['authorization'],
          exposeHeaders: ['link', 'retry-after'],
          maxAge: Duration.hours(1),
        },
      }),
    });
    api.addRoutes({
      path: '/plants',
      methods: [HttpMethod.GET],
      integration: new HttpLambdaIntegration('ListPlantsIntegration', listPlants),
      authorizer: new HttpLambdaAuthorizer('BearerAuthorizer', authorizer, {
        responseTypes: [HttpLambdaResponseType.SIMPLE],
        identitySource: ['$request.header.Authorization'],
        resultsCacheTtl: Duration.seconds(stage.authorizerCacheSeconds),
      }),
    });
    new HttpStage(this, 'DefaultStage', {
      httpApi: api,
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup('AccessLog')),
        format: accessLogFormat,
      },
    });

    new CfnOutput(this, 'BaseUrl', { value: api.apiEndpoint });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}

/** The route and no path or query string: a cursor holds a plant's name. */
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
  }),
);

const tokenEnvironment = (tokens: Stage['tokens']): Record<string, string> => ({
  TOKEN_PROFILE: tokens.profile,
  TOKEN_ISSUER: tokens.issuer,
  JWKS_URI: tokens.jwksUri,
  TOKEN_ALGORITHMS: tokens.algorithms.join(','),
  GROUPS_CLAIM: tokens.groupsClaim,
  ...(tokens.profile === 'cognito'
    ? { TOKEN_CLIENT_IDS: tokens.clientIds.join(',') }
    : { TOKEN_AUDIENCE: tokens.audience }),
});

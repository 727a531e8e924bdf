import { CfnOutput, Duration, Fn } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { authorizerCacheSeconds, operations } from './operations.ts';
import type { PlantStoreStack } from './plant-store-stack.ts';

/** The API of a stage. Operations add their routes. */
export class ServiceApi extends gateway.HttpApi {
  readonly accessLog: LogGroup;

  constructor(stack: PlantStoreStack) {
    const { corsOrigins = [], domain, logRetentionDays, throttle } = stack.stage;
    const methods = new Set(operations.map(({ route }) => route.replace(/ .*/, '')));
    const headers = operations.flatMap(({ request }) => Object.keys(request?.headers ?? {}));
    const corsPreflight = {
      allowOrigins: [...corsOrigins],
      allowMethods: Object.values(gateway.CorsHttpMethod).filter((each) => methods.has(each)),
      allowHeaders: [...new Set(['authorization', ...headers])],
      exposeHeaders: ['link', 'retry-after', 'apigw-requestid'],
      maxAge: Duration.hours(1),
    };
    super(stack, 'Api', {
      apiName: stack.stackName,
      createDefaultStage: false,
      // The default for every route: it checks the request's bearer token.
      defaultAuthorizer: new HttpLambdaAuthorizer('BearerAuthorizer', stack.authorizer.live, {
        responseTypes: [HttpLambdaResponseType.SIMPLE],
        resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
      }),
      corsPreflight: corsOrigins.length > 0 ? corsPreflight : undefined,
    });
    this.accessLog = new LogGroup(stack, 'AccessLog', {
      retention: logRetentionDays,
      // The prefix keeps the account's resource policy for logs within its limit (docs/decisions.md).
      // The stack's id makes the name unique: a retained log must not block a new stack.
      logGroupName: `/aws/vendedlogs/${stack.stackName}-${Fn.select(2, Fn.split('/', stack.stackId))}`,
    });
    const deployed = new gateway.HttpStage(stack, 'DefaultStage', {
      httpApi: this,
      autoDeploy: true,
      throttle,
      accessLogSettings: {
        destination: new gateway.LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    if (domain === undefined) return;
    const domainName = new gateway.DomainName(stack, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(stack, 'Certificate', domain.certificateArn),
    });
    new gateway.ApiMapping(stack, 'DomainMapping', { api: this, domainName, stage: deployed });
    new CfnOutput(stack, 'DomainTarget', { value: domainName.regionalDomainName });
  }
}

/**
 * Without path and query string, because a path or a cursor can hold a plant name. `integrationRequestId` is
 * the `requestId` of an operation's log lines, `requestId` the `gatewayRequestId` of the authorizer's.
 */
const accessLogFields = {
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
};

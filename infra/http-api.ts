import { CfnOutput, Duration, Fn, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { authorizerCacheSeconds, operations } from './operations.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

/** The API of a stage. Operations add their routes. */
export class ServiceApi extends gateway.HttpApi {
  readonly baseUrl: string;
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, stage: Stage, authorizer: ServiceFunction) {
    const { stackName, stackId } = Stack.of(scope);
    const { corsOrigins = [] } = stage;
    const headers = operations.flatMap(({ request }) => Object.keys(request?.headers ?? {}));
    super(scope, id, {
      apiName: stackName,
      createDefaultStage: false,
      // The default for every route: it checks the request's bearer token.
      defaultAuthorizer: new HttpLambdaAuthorizer('BearerAuthorizer', authorizer.live, {
        responseTypes: [HttpLambdaResponseType.SIMPLE],
        resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
      }),
      ...(corsOrigins.length > 0 && {
        corsPreflight: {
          allowOrigins: [...corsOrigins],
          allowMethods: Object.values(gateway.CorsHttpMethod).filter((method) =>
            operations.some(({ route }) => route.startsWith(`${method} `)),
          ),
          allowHeaders: [...new Set(['authorization', ...headers])],
          exposeHeaders: ['link', 'retry-after', 'apigw-requestid'],
          maxAge: Duration.hours(1),
        },
      }),
    });
    this.accessLog = new LogGroup(scope, 'AccessLog', {
      retention: stage.logRetentionDays,
      // The prefix keeps the account's resource policy for logs within its limit (docs/decisions.md).
      // The stack's id makes the name unique: a retained log must not block a new stack.
      logGroupName: `/aws/vendedlogs/${stackName}-${Fn.select(2, Fn.split('/', stackId))}`,
    });
    const deployed = new gateway.HttpStage(scope, 'DefaultStage', {
      httpApi: this,
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new gateway.LogGroupLogDestination(this.accessLog),
        format: accessLogFormat,
      },
    });
    this.baseUrl = stage.domain === undefined ? this.apiEndpoint : `https://${stage.domain.name}`;
    if (stage.domain === undefined) return;
    const domainName = new gateway.DomainName(scope, 'Domain', {
      domainName: stage.domain.name,
      certificate: Certificate.fromCertificateArn(scope, 'Certificate', stage.domain.certificateArn),
    });
    new gateway.ApiMapping(scope, 'DomainMapping', { api: this, domainName, stage: deployed });
    new CfnOutput(scope, 'DomainTarget', { value: domainName.regionalDomainName });
  }
}

/**
 * Without path and query string, because a path or a cursor can hold a plant name. `integrationRequestId` is
 * the `requestId` of an operation's log lines, `requestId` the `gatewayRequestId` of the authorizer's.
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

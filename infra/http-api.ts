import { CfnOutput, Duration, Fn, type Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { OperationDefinition } from './operation-definition.ts';
import type { ServiceFunction } from './service-function.ts';
import { serviceLog } from './service-log.ts';
import type { Stage } from './stage-type.ts';
import { authorizerCacheSeconds } from './timeouts.ts';

interface ServiceApiProps {
  readonly stage: Stage;
  readonly authorizer: ServiceFunction;
  /** The API's operations, whose methods and headers pages of other origins may use. */
  readonly definitions: readonly OperationDefinition[];
}

/** The API of a stage. Operations add their routes. */
export class ServiceApi extends gateway.HttpApi {
  readonly accessLog: LogGroup;
  /** Where callers reach the API: at the stage's domain or, without one, at the default endpoint. */
  readonly baseUrl: string;

  constructor(stack: Stack, { stage, authorizer, definitions }: ServiceApiProps) {
    super(stack, 'Api', {
      apiName: stack.stackName,
      createDefaultStage: false,
      // Checks the bearer token of each request, whatever its route.
      defaultAuthorizer: new HttpLambdaAuthorizer('BearerAuthorizer', authorizer.live, {
        responseTypes: [HttpLambdaResponseType.SIMPLE],
        resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
      }),
      corsPreflight: corsOf(stage, definitions),
      ipAddressType: gateway.IpAddressType.DUAL_STACK,
      // The default endpoint would bypass a firewall or CDN in front of the domain.
      disableExecuteApiEndpoint: stage.domain !== undefined,
    });
    // The prefix keeps the account's resource policy for logs within its limit (docs/decisions.md).
    // The stack's id makes the name unique, because a retained log must not block a new stack.
    const logName = `/aws/vendedlogs/${stack.stackName}-${Fn.select(2, Fn.split('/', stack.stackId))}`;
    this.accessLog = serviceLog(stack, 'AccessLog', stage, logName);
    const deployed = new gateway.HttpStage(stack, 'DefaultStage', {
      httpApi: this,
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new gateway.LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    const { domain } = stage;
    this.baseUrl = domain === undefined ? this.apiEndpoint : `https://${domain.name}`;
    if (domain === undefined) return;
    const domainName = new gateway.DomainName(stack, 'Domain', {
      domainName: domain.name,
      ipAddressType: gateway.IpAddressType.DUAL_STACK,
      certificate: Certificate.fromCertificateArn(stack, 'Certificate', domain.certificateArn),
    });
    new gateway.ApiMapping(stack, 'DomainMapping', { api: this, domainName, stage: deployed });
    new CfnOutput(stack, 'DomainTarget', { value: domainName.regionalDomainName });
  }
}

/** The web pages that can call the API, and their requests. Undefined allows no page. */
const corsOf = (
  { corsOrigins = [] }: Stage,
  definitions: readonly OperationDefinition[],
): gateway.CorsPreflightOptions | undefined => {
  if (corsOrigins.length === 0) return undefined;
  const methods = new Set(definitions.map(({ route }) => route.replace(/ .*/, '')));
  const headers = definitions.flatMap(({ request }) => Object.keys(request?.headers ?? {}));
  const exposedHeaders = definitions.flatMap((definition) => definition.exposedHeaders ?? []);
  return {
    allowOrigins: [...corsOrigins],
    allowMethods: Object.values(gateway.CorsHttpMethod).filter((method) => methods.has(method)),
    allowHeaders: [...new Set(['authorization', ...headers])],
    exposeHeaders: [...new Set(['link', 'retry-after', 'apigw-requestid', ...exposedHeaders])],
    maxAge: Duration.hours(1),
  };
};

/**
 * The access log has no path and no query string, because a plant name can be in both. An operation logs
 * `integrationRequestId` as its `requestId`. The authorizer logs `requestId` as `gatewayRequestId`.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  // The status in the function's result.
  functionStatus: '$context.integration.status',
  // The status of the invocation, such as 429 if Lambda throttles it.
  lambdaStatus: '$context.integration.integrationStatus',
  integrationLatencyMs: '$context.integration.latency',
  integrationRequestId: '$context.integration.requestId',
  integrationError: '$context.integrationErrorMessage',
  authorizerError: '$context.authorizer.error',
  callerId: '$context.authorizer.callerId',
};

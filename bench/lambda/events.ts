import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayRequestAuthorizerEventV2,
} from 'aws-lambda';
import type { Caller } from '../../functions/shared/caller-context.ts';

const requestContext = {
  accountId: '000000000000',
  apiId: 'benchmark',
  domainName: 'benchmark.execute-api.us-east-1.amazonaws.com',
  domainPrefix: 'benchmark',
  http: {
    method: 'GET',
    path: '/plants',
    protocol: 'HTTP/1.1',
    sourceIp: '192.0.2.1',
    userAgent: 'curl/8.5.0',
  },
  requestId: 'JKJaXmPLvHcESHA=',
  routeKey: 'GET /plants',
  stage: '$default',
  time: '12/Mar/2026:19:03:58 +0000',
  timeEpoch: 1_773_342_238_000,
} as const;

/** A request for a list. */
export interface ListRequest {
  /** From the authorizer; undefined if it passed no caller. */
  readonly caller: Caller | undefined;
  readonly query?: string;
  readonly acceptEncoding?: string;
}

/** The gateway's event for the list function (payload format 2.0), as JSON text. */
export const listEvent = ({ caller, query = '', acceptEncoding }: ListRequest): string => {
  const context = { ...requestContext, ...(caller && { authorizer: { lambda: caller } }) };
  const event: Omit<APIGatewayProxyEventV2WithLambdaAuthorizer<Caller>, 'requestContext'> = {
    version: '2.0',
    routeKey: 'GET /plants',
    rawPath: '/plants',
    rawQueryString: query,
    headers: {
      accept: '*/*',
      ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
      authorization: 'Bearer e30.e30.e30',
      'content-length': '0',
      host: requestContext.domainName,
      'user-agent': 'curl/8.5.0',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    isBase64Encoded: false,
  };
  return JSON.stringify({ ...event, requestContext: context });
};

/** The gateway's event for the authorizer (payload format 2.0), as JSON text. */
export const authorizerEvent = (token: string): string => {
  const event: Omit<APIGatewayRequestAuthorizerEventV2, 'requestContext'> = {
    version: '2.0',
    type: 'REQUEST',
    routeArn: 'arn:aws:execute-api:us-east-1:000000000000:benchmark/$default/GET/plants',
    identitySource: [`Bearer ${token}`],
    routeKey: 'GET /plants',
    rawPath: '/plants',
    rawQueryString: '',
    cookies: [],
    headers: { authorization: `Bearer ${token}`, host: requestContext.domainName },
    pathParameters: {},
    stageVariables: {},
  };
  return JSON.stringify({ ...event, requestContext });
};

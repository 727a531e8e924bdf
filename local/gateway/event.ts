import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import type { Match } from './routes.ts';

/** What the authorizer's event and the function's event of a request have in common (payload format 2.0). */
export type RequestEvent = Omit<APIGatewayProxyEventV2, 'isBase64Encoded'>;

/** The event of a request without its body, which is read after the authorizer has allowed the request. */
export const requestEvent = (
  { method = '', url = '', headersDistinct }: Pick<IncomingMessage, 'method' | 'url' | 'headersDistinct'>,
  { key: routeKey, path, pathParameters }: Omit<Match, 'invoke'>,
  requestId: string,
): RequestEvent => {
  const [query = ''] = /(?<=\?).*/.exec(url) ?? [];
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]),
  );
  const { host = '', 'user-agent': userAgent = '' } = headers;
  const parameters = new URLSearchParams(query);
  const values = [...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')] as const);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    headers,
    ...(headers['cookie'] !== undefined && { cookies: headers['cookie'].split('; ') }),
    ...(values.length > 0 && { queryStringParameters: Object.fromEntries(values) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host,
      domainPrefix: 'local',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent },
      requestId,
      routeKey,
      stage: '$default',
      // Such as 01/Jan/2030:00:00:00 +0000.
      time: new Date().toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000'),
      timeEpoch: Date.now(),
    },
  };
};

/** AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", payload format version 2.0. */
export const functionEvent = (
  event: RequestEvent,
  context: unknown,
  body: Buffer = Buffer.alloc(0),
): APIGatewayProxyEventV2 => {
  const type = event.headers['content-type'] ?? '';
  const isText = /^(text\/|application\/(json|javascript|xml)\b)/.test(type) && isUtf8(body);
  return {
    ...event,
    requestContext: Object.assign({ authorizer: { lambda: context } }, event.requestContext),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
};

/** AWS: "Control access to HTTP APIs with AWS Lambda authorizers", payload format version 2.0. */
export const authorizerEvent = (
  event: RequestEvent,
  identity: string,
): APIGatewayRequestAuthorizerEventV2 => {
  const { method, path } = event.requestContext.http;
  const routeArn = `arn:aws:execute-api:local:000000000000:local/$default/${method}${path}`;
  return { cookies: [], ...event, type: 'REQUEST', routeArn, identitySource: [identity] };
};

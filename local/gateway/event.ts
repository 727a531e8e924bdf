import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import type { Match } from './find-route.ts';

/** What a request's events have in common (payload format 2.0). */
export type RequestEvent = Omit<APIGatewayProxyEventV2, 'isBase64Encoded'>;

/** Reads a request but for its body. The path is not decoded, and the route not known yet. */
export const readEvent = (
  message: Pick<IncomingMessage, 'method' | 'url' | 'headersDistinct'>,
  sourceIp: string,
): RequestEvent => {
  const { method = '', url = '', headersDistinct } = message;
  const [path = '', ...queries] = url.split('?');
  const query = queries.join('?');
  const distinct = Object.entries(headersDistinct).map(
    ([name, values = []]) => [name, values.join(',')] as const,
  );
  const headers = Object.fromEntries(distinct);
  // URLSearchParams removes one leading question mark. Add one, so that the query keeps its own.
  const parameters = new URLSearchParams(`?${query}`);
  const values = [...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')] as const);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers,
    ...(headers['cookie'] !== undefined && { cookies: headers['cookie'].split('; ') }),
    ...(values.length > 0 && { queryStringParameters: Object.fromEntries(values) }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers['host'] ?? '',
      domainPrefix: 'local',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: crypto.randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: new Date().toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000'),
      timeEpoch: Date.now(),
    },
  };
};

/** Adds the route, with the path as AWS decodes it. */
export const withRoute = (event: RequestEvent, { route, path, pathParameters }: Match): RequestEvent => ({
  ...event,
  routeKey: route.key,
  rawPath: path,
  ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
  requestContext: {
    ...event.requestContext,
    routeKey: route.key,
    http: { ...event.requestContext.http, path },
  },
});

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

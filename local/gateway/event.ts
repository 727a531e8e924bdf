import type { IncomingMessage } from 'node:http';
import type {
  APIGatewayEventRequestContextV2,
  APIGatewayProxyEventV2,
  APIGatewayRequestAuthorizerEventV2,
} from 'aws-lambda';

/** A request without its body, which no route needs. */
export interface HttpRequest {
  /** The request id, also sent as the response header `apigw-requestid`. */
  readonly id: string;
  readonly method: string;
  /** As received, not normalized; percent-decoded after routing, as in the events of AWS. */
  readonly path: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** Undecoded, without the question mark. */
  readonly query: string;
  /** By lower-case name; the values of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
}

export const readRequest = (message: IncomingMessage): HttpRequest => {
  const { method = '', url = '', headersDistinct, socket } = message;
  const [path = '', ...query] = url.split('?');
  return {
    id: crypto.randomUUID(),
    method,
    path,
    query: query.join('?'),
    headers: Object.fromEntries(
      Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]),
    ),
    sourceIp: socket.remoteAddress ?? '',
  };
};

/** AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", payload format version 2.0. */
export const functionEvent = (
  request: HttpRequest,
  routeKey: string,
  authorizerContext: unknown,
): APIGatewayProxyEventV2 => ({
  ...requestFields(request, routeKey),
  requestContext: Object.assign(
    requestContext(request, routeKey),
    authorizerContext !== undefined && { authorizer: { lambda: authorizerContext } },
  ),
  isBase64Encoded: false,
});

/** AWS: "Control access to HTTP APIs with AWS Lambda authorizers", payload format version 2.0. */
export const authorizerEvent = (
  request: HttpRequest,
  routeKey: string,
  identitySource: readonly string[],
): APIGatewayRequestAuthorizerEventV2 => ({
  cookies: [],
  ...requestFields(request, routeKey),
  type: 'REQUEST',
  routeArn: `arn:aws:execute-api:local:000000000000:local/$default/${request.method}${request.path}`,
  identitySource: [...identitySource],
  requestContext: requestContext(request, routeKey),
});

const requestFields = ({ path, pathParameters = {}, query, headers }: HttpRequest, routeKey: string) => {
  // URLSearchParams removes one leading question mark. Add one, so that the query keeps its own.
  const parameters = new URLSearchParams(`?${query}`);
  const queryStringParameters = Object.fromEntries(
    [...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')]),
  );
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    headers,
    ...(headers['cookie'] !== undefined && { cookies: headers['cookie'].split('; ') }),
    ...(parameters.size > 0 && { queryStringParameters }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
  };
};

const requestContext = (
  { id, method, path, headers, sourceIp }: HttpRequest,
  routeKey: string,
): APIGatewayEventRequestContextV2 => ({
  accountId: '000000000000',
  apiId: 'local',
  domainName: headers['host'] ?? '',
  domainPrefix: 'local',
  http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
  requestId: id,
  routeKey,
  stage: '$default',
  time: new Date().toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000'),
  timeEpoch: Date.now(),
});

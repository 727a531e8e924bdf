import type {
  APIGatewayEventRequestContextV2,
  APIGatewayProxyEventV2,
  APIGatewayRequestAuthorizerEventV2,
} from 'aws-lambda';

/** A request as received. */
export interface HttpRequest {
  readonly method: string;
  /** The request target: path and query string, undecoded. */
  readonly target: string;
  /** Every value of every header, by lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** Undefined for a body above the gateway's quota, which is not read further. */
  readonly body: Buffer | undefined;
  readonly sourceIp: string;
}

/** What the gateway gives each request. */
export interface Arrival {
  /** The id that the caller sees as `apigw-requestid`. */
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The route that a request matched, and when. */
export interface RouteMatch extends Arrival {
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Splits a request target at its first question mark. */
export const splitTarget = (target: string): { readonly path: string; readonly query: string } => {
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
};

/** AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", payload format version 2.0. */
export const functionEvent = (
  request: HttpRequest,
  match: RouteMatch,
  authorizerContext: unknown,
): APIGatewayProxyEventV2 => {
  const { body = Buffer.alloc(0) } = request;
  const context = requestContext(request, match);
  return {
    version: '2.0',
    ...requestFields(request, match),
    requestContext:
      authorizerContext === undefined
        ? context
        : Object.assign(context, { authorizer: { lambda: authorizerContext } }),
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  };
};

/** AWS: "Control access to HTTP APIs with AWS Lambda authorizers", payload format version 2.0. */
export const authorizerEvent = (
  request: HttpRequest,
  match: RouteMatch,
  identitySource: readonly string[],
): APIGatewayRequestAuthorizerEventV2 => ({
  version: '2.0',
  type: 'REQUEST',
  routeArn: `arn:aws:execute-api:local:000000000000:local/$default/${request.method}${splitTarget(request.target).path}`,
  identitySource: [...identitySource],
  ...requestFields(request, match),
  cookies: cookiesOf(request) ?? [],
  requestContext: requestContext(request, match),
});

/** A header's values joined with commas, as the gateway passes them on. */
export const joined = (values: readonly string[] | undefined): string => (values ?? []).join(',');

const cookiesOf = ({ headers }: Pick<HttpRequest, 'headers'>): string[] | undefined =>
  headers['cookie']?.flatMap((value) => value.split('; '));

const requestFields = ({ target, headers }: HttpRequest, { routeKey, pathParameters }: RouteMatch) => {
  const { path, query } = splitTarget(target);
  // URLSearchParams removes one leading question mark.
  const parameters = new URLSearchParams(`?${query}`);
  const cookies = cookiesOf({ headers });
  return {
    routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies !== undefined && { cookies }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, joined(values)])),
    ...(parameters.size > 0 && {
      queryStringParameters: Object.fromEntries(
        [...parameters.keys()].map((name) => [name, joined(parameters.getAll(name))]),
      ),
    }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
  };
};

/** A time in the common log format, such as `22/Nov/2026:10:39:00 +0000`. */
export const commonLogTime = (time: number): string =>
  new Date(time).toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');

const requestContext = (
  { method, target, headers, sourceIp }: HttpRequest,
  { routeKey, requestId, time }: RouteMatch,
): APIGatewayEventRequestContextV2 => ({
  accountId: '000000000000',
  apiId: 'local',
  domainName: joined(headers['host']),
  domainPrefix: 'local',
  http: {
    method,
    path: splitTarget(target).path,
    protocol: 'HTTP/1.1',
    sourceIp,
    userAgent: joined(headers['user-agent']),
  },
  requestId,
  routeKey,
  stage: '$default',
  time: commonLogTime(time),
  timeEpoch: time,
});

import {
  authorizerEvent as gatewayAuthorizerEvent,
  functionEvent,
  readEvent,
  type RequestEvent,
  withRoute,
} from '../../local/gateway/event.ts';
import type { Caller } from '../../functions/shared/caller-context.ts';

const ownHeaders = {
  accept: '*/*',
  authorization: 'Bearer e30.e30.e30',
  'content-length': '0',
  host: 'benchmark.execute-api.us-east-1.amazonaws.com',
  'user-agent': 'curl/8.5.0',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https',
};

const requestEvent = (headers: Readonly<Record<string, string>>, query = ''): RequestEvent => {
  const headersDistinct = Object.fromEntries(
    Object.entries({ ...ownHeaders, ...headers }).map(([name, value]) => [name, [value]]),
  );
  const url = query === '' ? '/plants' : `/plants?${query}`;
  const event = readEvent({ method: 'GET', url, headersDistinct }, '192.0.2.1');
  // The benchmark invokes the functions itself.
  const route = { key: 'GET /plants', invoke: () => Promise.resolve() };
  return withRoute(event, { route, path: '/plants', pathParameters: {} });
};

/** A request for a list. */
export interface ListRequest {
  /** From the authorizer; undefined if it passed no caller. */
  readonly caller: Caller | undefined;
  readonly query?: string;
  readonly acceptEncoding?: string;
}

/** The gateway's event for the list function, as JSON text. */
export const listEvent = ({ caller, query = '', acceptEncoding }: ListRequest): string => {
  const headers = { ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }) };
  return JSON.stringify(functionEvent(requestEvent(headers, query), caller));
};

/** The gateway's event for the authorizer, as JSON text. */
export const authorizerEvent = (token: string): string => {
  const authorization = `Bearer ${token}`;
  return JSON.stringify(gatewayAuthorizerEvent(requestEvent({ authorization }), authorization));
};

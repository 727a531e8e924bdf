import type { Caller } from '../../functions/http/caller-context.ts';
import {
  authorizerEvent as gatewayAuthorizerEvent,
  functionEvent,
  requestEvent as gatewayRequestEvent,
  type RequestEvent,
} from '../../local/gateway/event.ts';

const host = 'benchmark.execute-api.us-east-1.amazonaws.com';

const requestEvent = (query: string, headers: Readonly<Record<string, string>>): RequestEvent => {
  const all = Object.entries({ host, ...headers });
  const headersDistinct = Object.fromEntries(all.map(([name, value]) => [name, [value]]));
  const route = { key: 'GET /plants', path: '/plants', pathParameters: {} };
  const message = { method: 'GET', url: `/plants?${query}`, headersDistinct };
  return gatewayRequestEvent(message, route, crypto.randomUUID());
};

/** A request for a list. */
export interface ListRequest {
  /** From the authorizer; undefined if it passed no caller. */
  readonly caller: Caller | undefined;
  readonly query?: string;
  readonly acceptEncoding?: string;
}

/** The gateway's event for the list function, as JSON text. */
export const listEvent = ({ caller, query = '', acceptEncoding = 'identity' }: ListRequest): string => {
  const headers = { authorization: 'Bearer e30.e30.e30', 'accept-encoding': acceptEncoding };
  return JSON.stringify(functionEvent(requestEvent(query, headers), caller));
};

/** The gateway's event for the authorizer, as JSON text. */
export const authorizerEvent = (token: string): string => {
  const authorization = `Bearer ${token}`;
  return JSON.stringify(gatewayAuthorizerEvent(requestEvent('', { authorization }), authorization));
};

import { authorizerEvent as gatewayAuthorizerEvent, functionEvent } from '../../local/gateway/event.ts';
import type { Caller } from '../../functions/shared/caller-context.ts';

const routeKey = 'GET /plants';

const request = {
  id: 'JKJaXmPLvHcESHA=',
  method: 'GET',
  path: '/plants',
  query: '',
  headers: {
    accept: '*/*',
    authorization: 'Bearer e30.e30.e30',
    'content-length': '0',
    host: 'benchmark.execute-api.us-east-1.amazonaws.com',
    'user-agent': 'curl/8.5.0',
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
  },
  sourceIp: '192.0.2.1',
} as const;

/** A request for a list. */
export interface ListRequest {
  /** From the authorizer; undefined if it passed no caller. */
  readonly caller: Caller | undefined;
  readonly query?: string;
  readonly acceptEncoding?: string;
}

/** The gateway's event for the list function, as JSON text. */
export const listEvent = ({ caller, query = '', acceptEncoding }: ListRequest): string => {
  const encoding = acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding };
  const headers = { ...request.headers, ...encoding };
  return JSON.stringify(functionEvent({ ...request, query, headers }, routeKey, caller));
};

/** The gateway's event for the authorizer, as JSON text. */
export const authorizerEvent = (token: string): string => {
  const authorization = `Bearer ${token}`;
  const headers = { ...request.headers, authorization };
  return JSON.stringify(gatewayAuthorizerEvent({ ...request, headers }, routeKey, [authorization]));
};

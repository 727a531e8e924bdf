import { type HttpRequest, joined } from './event.ts';
import type { HttpResponse } from './response.ts';
import type { Cors } from '../stack/stack.ts';

/** The gateway's response to a browser's preflight request, which precedes routes and authorizers. */
export const preflightResponse = (cors: Cors | undefined, request: HttpRequest): HttpResponse | undefined => {
  if (cors === undefined || request.method !== 'OPTIONS' || request.headers['origin'] === undefined)
    return undefined;
  return { statusCode: 204, headers: corsHeaders(cors, request), body: Buffer.alloc(0) };
};

/** The headers that allow a page of an allowed origin to read the response (AWS: "Configure CORS for HTTP APIs"). */
export const corsHeaders = (
  cors: Cors | undefined,
  request: HttpRequest,
): Readonly<Record<string, string>> => {
  const origin = joined(request.headers['origin']);
  const allowed = cors?.AllowOrigins.find((each) => each === '*' || each === origin);
  if (cors === undefined || allowed === undefined || origin === '') return {};
  if (request.method !== 'OPTIONS') {
    return {
      'access-control-allow-origin': allowed,
      ...(cors.ExposeHeaders.length > 0 && { 'access-control-expose-headers': cors.ExposeHeaders.join(',') }),
    };
  }
  return {
    'access-control-allow-origin': allowed,
    'access-control-allow-methods': cors.AllowMethods.join(','),
    'access-control-allow-headers': cors.AllowHeaders.join(','),
    ...(cors.MaxAge !== undefined && { 'access-control-max-age': String(cors.MaxAge) }),
  };
};

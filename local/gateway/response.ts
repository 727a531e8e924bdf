import { z } from 'zod';
import { InvocationError } from '../lambda/invocation.ts';

/** A response of the gateway. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the authorizer's result was in the gateway's cache; undefined if no authorizer decided. */
  readonly authorizer?: 'hit' | 'miss' | undefined;
}

/** One of the gateway's own responses, which cannot be customized on an HTTP API. */
export const gatewayResponse = (statusCode: number, message: string): HttpResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
});

/** The response to a function's failure or timeout. Rethrows any other error. */
export const failureResponse = (error: unknown): HttpResponse => {
  if (error instanceof InvocationError) return gatewayResponse(500, 'Internal Server Error');
  throw error;
};

/** AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", response format version 2.0. */
const resultSchema = z
  .object({
    statusCode: z.coerce.number().int().min(100).max(599),
    headers: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
      .default({}),
    body: z.string().default(''),
    isBase64Encoded: z.boolean().default(false),
  })
  .transform(({ statusCode, headers, body, isBase64Encoded }) => ({
    statusCode,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }));

/** Converts a function's result into a response. A value without `statusCode` is the body of a 200. */
export const responseFrom = (result: unknown): HttpResponse => {
  if (typeof result === 'object' && result !== null && 'statusCode' in result)
    return resultSchema.safeParse(result).data ?? gatewayResponse(500, 'Internal Server Error');
  const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result));
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
};

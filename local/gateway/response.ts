import { z } from 'zod';

/** A response of the gateway. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

const headerValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const structuredResult = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), headerValue).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/**
 * Converts a function's result into a response (AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API
 * Gateway", response format version 2.0). A value without `statusCode` is the body of a 200.
 * @returns undefined for a malformed result
 */
export const responseFrom = (result: unknown): HttpResponse | undefined => {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(typeof result === 'string' ? result : JSON.stringify(result)),
    };
  }
  const { data } = structuredResult.safeParse(result);
  if (data === undefined) return undefined;
  const { statusCode, headers, cookies, body, isBase64Encoded } = data;
  return {
    statusCode,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
};

/** One of the gateway's own responses, which cannot be customized on an HTTP API. */
export const gatewayResponse = (statusCode: number, message: string): HttpResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
});

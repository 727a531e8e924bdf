import * as v from 'valibot';

/** AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", response format version 2.0. */
export const responseSchema = v.object({
  statusCode: v.pipe(v.unknown(), v.toNumber(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.optional(v.record(v.pipe(v.string(), v.toLowerCase()), v.pipe(v.unknown(), v.toString())), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean()),
});

/** A response of a function, or of the gateway itself. */
export type HttpResponse = Readonly<v.InferOutput<typeof responseSchema>>;

/** One of the gateway's own responses, which cannot be customized on an HTTP API. */
export const gatewayResponse = (statusCode: number, message: string): HttpResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

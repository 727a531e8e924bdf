import { type CatalogueEntry, ServiceError } from './service-error.ts';
import { type JsonObject, parseJsonObject } from '../runtime/json-object.ts';
import type { HttpEvent } from './payload-format.ts';

/** Far more than a resource needs. API Gateway accepts 10 MB. */
const maxBodyKilobytes = 64;

/** The error of operations that read a body, such as the one in docs/add-a-write.md. */
export const invalidBody: CatalogueEntry = {
  error: 1006,
  statusCode: 400,
  message: `The body is not valid. Send a JSON object in UTF-8, of at most ${String(maxBodyKilobytes)} KB.`,
};

/**
 * Reads the JSON object in the body of an event, which the gateway passes as text or as base64.
 * @throws {ServiceError} 1006 when the body is missing, too long, not UTF-8, not JSON, or not an object
 */
export const jsonBody = ({ body = '', isBase64Encoded = false }: HttpEvent): JsonObject => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  try {
    if (bytes.length <= maxBodyKilobytes * 1000) return parseJsonObject(bytes);
  } catch {
    // The error has no `cause`, because the parser's message quotes the body.
  }
  throw new ServiceError(invalidBody);
};

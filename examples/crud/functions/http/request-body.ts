import { MIMEType } from 'node:util';
import { type JsonObject, parseJsonObject } from '../runtime/json-object.ts';
import type { HttpEvent } from './payload-format.ts';
import { maxBodyKilobytes, resourceErrors } from './resource-errors.ts';
import { ServiceError } from './service-error.ts';

/**
 * Reads the JSON object in the body of an event, which the gateway passes as text or as base64.
 * @param mediaTypes the accepted media types, in lower case
 * @throws {ServiceError} 1011 for another media type, charset or content coding; 1006 when the body is
 * missing, too long, not UTF-8, not JSON, not an object, or has a member twice
 */
export const jsonBody = (
  { headers, body = '', isBase64Encoded = false }: HttpEvent,
  mediaTypes: readonly string[],
): JsonObject => {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = headers ?? {};
  if ((type !== undefined && !isJsonInUtf8(type, mediaTypes)) || coding.toLowerCase() !== 'identity')
    throw new ServiceError(resourceErrors.unsupportedContent);
  try {
    // Throws for a body that is null, which some gateways pass for a missing body.
    const isUnicode = body.isWellFormed();
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    if (isUnicode && bytes.length <= maxBodyKilobytes * 1000) {
      const object = parseJsonObject(bytes);
      if (!hasRepeatedMember(bytes.toString())) return object;
    }
  } catch {
    // The parser's error is not passed on as the cause, because its message quotes the body.
  }
  throw new ServiceError(resourceErrors.invalidBody);
};

/** Whether a `Content-Type` has one of the media types, and no charset but UTF-8 (RFC 9110 section 8.3). */
const isJsonInUtf8 = (contentType: string, mediaTypes: readonly string[]): boolean => {
  try {
    const { essence, params } = new MIMEType(contentType);
    return mediaTypes.includes(essence) && (params.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
  } catch {
    return false;
  }
};

/** A string of JSON, or a character that begins, ends or separates values. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;

/**
 * Whether the outermost object of a JSON text has a member twice. `JSON.parse` would keep the last value, so
 * the caller would lose the other one without an error (RFC 8259 section 4: names should be unique).
 */
const hasRepeatedMember = (json: string): boolean => {
  const names = new Set<unknown>();
  let depth = 0;
  let isName = false;
  for (const [text] of json.matchAll(token)) {
    if (text === '{' || text === '[') depth += 1;
    else if (text === '}' || text === ']') depth -= 1;
    else if (text.startsWith('"') && depth === 1 && isName) {
      const name: unknown = JSON.parse(text);
      if (names.has(name)) return true;
      names.add(name);
    }
    // A name follows the brace of the object, or a comma between its members.
    isName = depth === 1 && (text === '{' || text === ',');
  }
  return false;
};

/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses UTF-8 JSON text.
 * @throws {Error} unless it is valid UTF-8 and a JSON object
 */
export const parseJsonObject = (bytes: Uint8Array): JsonObject => {
  const value: unknown = JSON.parse(utf8.decode(bytes));
  if (!isJsonObject(value)) throw new Error('The text is not a JSON object.');
  return value;
};

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

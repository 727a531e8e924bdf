/** A JSON object with unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws {Error} unless the bytes are the UTF-8 text of a JSON object */
export const parseJsonObject = (bytes: Uint8Array): JsonObject => {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const value: unknown = JSON.parse(utf8.decode(bytes));
  if (!isJsonObject(value)) throw new Error('The text is not a JSON object.');
  return value;
};

/** Whether a value of `JSON.parse` is an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

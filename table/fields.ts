// The limits of all texts in the table, in bytes of UTF-8.
export const maxNameBytes = 900;
/** A sort key has the name, U+0000 and the id. AWS: "Quotas in Amazon DynamoDB", sort key length. */
export const maxSortKeyBytes = 1024;
/** The name of a user or a group. */
export const maxPrincipalNameBytes = 255;

/**
 * Optional string fields of a plant. An entry here is all that a new field needs to be stored,
 * read, listed, compared, imported and exported.
 */
export const optionalFields = [{ field: 'tag', maxBytes: 900 }] as const satisfies readonly {
  readonly field: string;
  readonly maxBytes: number;
}[];

/** The name of an optional field. */
export type OptionalField = (typeof optionalFields)[number]['field'];

/** Whether a text has at most this many bytes of UTF-8. */
export const fits = (text: string, maxBytes: number): boolean =>
  // A UTF-16 unit takes at most three bytes, so most texts need no count.
  text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;

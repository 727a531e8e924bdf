/**
 * Optional string fields of a plant. An entry here is all that a new field needs to be stored,
 * read, listed, compared, imported and exported.
 */
export const optionalFields = [{ field: 'tag', maxBytes: 900 }] as const satisfies readonly {
  readonly field: string;
  /** In bytes of UTF-8. */
  readonly maxBytes: number;
}[];

/** The name of an optional field. */
export type OptionalField = (typeof optionalFields)[number]['field'];

/** A plant as the API shows it (specification, "Plant"). Its JSON has the members in this order. */
export type Plant = { readonly name: string } & Readonly<Partial<Record<OptionalField, string>>>;

/** A plant with the id that distinguishes it from others of the same principal. */
export type IdentifiedPlant = Plant & { readonly id: string };

import type { OptionalField } from './fields.ts';

/** A plant as the API shows it (specification, "Plant"). Its JSON has the members in this order. */
export type Plant = { readonly name: string } & Readonly<Partial<Record<OptionalField, string>>>;

/** A plant with the id that distinguishes it from others of the same principal. */
export type IdentifiedPlant = Plant & { readonly id: string };

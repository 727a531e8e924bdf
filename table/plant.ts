import type { Field, FieldValue, FieldValues } from './field-kinds.ts';
import { fields } from './fields.ts';

/** A plant as the API shows it (specification, "Plant"). Its JSON has the required members first. */
export type Plant = FieldValues<typeof fields>;

/** A plant with the id that distinguishes it from other plants of the same principal. */
export type IdentifiedPlant = Plant & { readonly id: string };

/** A plant with the shortest JSON that a plant can have. Its values need not be valid. */
export const smallestPlant: Readonly<Record<string, FieldValue>> = Object.fromEntries(
  Object.entries<Field>(fields)
    .filter(([, field]) => field.required)
    // A digit is shorter than any other value of the kinds that are not text.
    .map(([name, field]) => [name, field.kind === 'text' ? 'x'.repeat(field.minBytes ?? 0) : 0]),
);

/** A plant with its id, which is its first member in JSON. */
export const identified = (id: string, plant: Plant): IdentifiedPlant => ({ id, ...plant });

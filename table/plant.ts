import type { FieldValues } from './field-kinds.ts';
import type { fields } from './fields.ts';

/** A plant as the API shows it (specification, "Plant"). Its JSON has the order of the declaration. */
export type Plant = FieldValues<typeof fields>;

/** A plant with the id that distinguishes it from other plants of the same principal. */
export type IdentifiedPlant = Plant & { readonly id: string };

/** No plant has shorter JSON. If it lacks a required field, the bounds of a list are only less exact. */
export const smallestPlant = { name: 'a' } as const;

/** A plant with its id, which is its first member in JSON. */
export const identified = (id: string, plant: Plant): IdentifiedPlant => ({ id, ...plant });

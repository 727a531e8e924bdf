import type { FieldValues } from './field-kinds.ts';
import type { fields } from './fields.ts';

/** The fields of a plant, without its id: what a caller sends to add one. */
export type PlantFields = FieldValues<typeof fields>;

/**
 * A plant as the API shows it. Its JSON has the id first, then the fields in the order of their declaration.
 */
export type Plant = { readonly id: string } & PlantFields;

/** A plant with its id. In this service, every plant has its id. */
export type IdentifiedPlant = Plant;

/** No plant has a shorter JSON. Add further required fields here, so that the bounds of a list stay exact. */
export const smallestPlant = { id: '1', name: 'a' } as const;

/** Returns the plant as it is, because it has its id already. */
export const identified = (_id: string, plant: Plant): IdentifiedPlant => plant;

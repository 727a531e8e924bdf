import { optionalFields } from '../../table/fields.ts';
import type { Plant } from '../../table/plant.ts';

// Lambda's response has the body's JSON array with each quote escaped.
const nameOverhead = String.raw`{\"name\":\"\"},`.length;
const fieldOverhead = String.raw`\"\":\"\",`.length;

/** Lower bound of a plant's size in the response: a text has at least as many bytes as UTF-16 units. */
export const minPlantBytes = (plant: Plant): number => {
  let bytes = nameOverhead + plant.name.length;
  for (const { field } of optionalFields) {
    const value = plant[field];
    if (value !== undefined) bytes += fieldOverhead + field.length + value.length;
  }
  return bytes;
};

/** The most plants that a response of this size can hold: a plant has a name of one byte at least. */
export const maxPlantsIn = (responseBytes: number): number =>
  Math.floor(responseBytes / minPlantBytes({ name: 'a' }));

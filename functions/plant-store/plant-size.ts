import type { FieldValue } from '../../table/field-kinds.ts';
import { smallestPlant } from '../../table/plant.ts';

// Lambda's response has the body's JSON array with each quote escaped. Each member is counted with a comma.
// A plant has as many commas as members: those between its members, and the comma after the plant.
const memberOverhead = '\\"\\":,'.length;
const quotes = '\\"\\"'.length;

/**
 * Lower bound of a plant's size in the response, because a text has at least as many bytes as UTF-16 units.
 */
export const minPlantBytes = (plant: Readonly<Record<string, FieldValue | undefined>>): number => {
  let bytes = '{}'.length;
  for (const name of Object.keys(plant)) {
    const value = plant[name];
    if (value === undefined) continue;
    bytes += memberOverhead + name.length + String(value).length;
    if (typeof value === 'string') bytes += quotes;
  }
  return bytes;
};

/** The most plants that a response of this size can hold. */
export const maxPlantsIn = (responseBytes: number): number =>
  Math.floor(responseBytes / minPlantBytes(smallestPlant));

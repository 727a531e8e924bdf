import { fields as ownFields } from '../../../table/fields.ts';
import { boolean, number, time } from './field-kinds.ts';

/**
 * The fields of a plant, in the order in which JSON has them. A line here is all that a new field needs to be
 * stored, read, listed, compared, imported and exported.
 */
const moreFields = {
  height: number({ min: 0, max: 200 }),
  indoor: boolean({}),
  bought: time({}),
};

// The checkout's own fields come last, because they replace those of the same name.
export const fields = { ...moreFields, ...ownFields };

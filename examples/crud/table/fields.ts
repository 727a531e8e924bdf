import { boolean, number, text, time } from './field-kinds.ts';

/**
 * The fields of a plant, in the order in which JSON has them. A line here is all that a new field needs to be
 * stored, read, listed, compared, imported and exported.
 */
export const fields = {
  name: text({ required: true, notEmpty: true, maxBytes: 900, without: '\u0000' }),
  tag: text({ maxBytes: 900 }),
  height: number({ min: 0, max: 200 }),
  indoor: boolean({}),
  bought: time({}),
};

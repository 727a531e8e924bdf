import type { Fields } from './field-kinds.ts';

/**
 * The fields of a plant, in the order in which JSON has them. A line here is all that a new field needs to be
 * stored, read, listed, added, changed, compared, imported and exported.
 */
export const fields = {
  name: { kind: 'text', required: true, minBytes: 1, maxBytes: 900, without: '\u0000' },
  tag: { kind: 'text', maxBytes: 900 },
  height: { kind: 'number', min: 0, max: 200 },
  indoor: { kind: 'boolean' },
  planted: { kind: 'time' },
} as const satisfies Fields;

import { hash } from 'node:crypto';
import type { FieldChange } from './json-fields.ts';
import type { Plant } from './plant.ts';
import type { Principal } from './principal.ts';

/** A digest of a text and of values by name, whatever their order, so that fields can be declared anew. */
export const digestOf = (text: string, values: Readonly<Record<string, unknown>>): string => {
  const sorted = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([text, sorted])).slice(0, 32);
};

/**
 * The version of a plant that was just added or imported. It is the same for the same principal, id and
 * fields. The principal is in it, so that two copies of a plant have different versions: if a request is
 * repeated after its copy was deleted, it does not change or delete the other copy.
 */
export const firstVersion = (principal: Principal, plant: Plant): string => digestOf(principal, plant);

/**
 * The version after a change: a digest of the version before and of the change. It depends on the version
 * before, so that no later change leads back to an earlier version. It depends on nothing else, so that a
 * repeated request can compute the version that its first attempt made.
 */
export const nextVersion = (version: string, change: FieldChange): string => digestOf(version, change);

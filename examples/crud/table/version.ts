import { hash } from 'node:crypto';
import type { Plant } from './plant.ts';
import type { Principal } from './principal.ts';

const digestOf = (values: unknown): string => hash('sha256', JSON.stringify(values)).slice(0, 32);

/**
 * The version of a plant that was just added or imported: the same for the same principal, id and fields. Two
 * principals with copies of a plant have different versions, so that a repeated request, whose plant is
 * deleted, does not change or delete the other copy.
 */
export const firstVersion = (principal: Principal, plant: Plant): string =>
  digestOf([principal, Object.entries(plant).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/**
 * The version after a change. It depends on the version before it, so that no later change leads back to an
 * earlier version. Beside that, it depends on the change alone, so that a repeated request recognizes the
 * version that it has made itself.
 */
export const nextVersion = (version: string, change: unknown): string => digestOf([version, change]);

import { hash } from 'node:crypto';
import type { Plant } from './plant.ts';

const digestOf = (values: unknown): string => hash('sha256', JSON.stringify(values)).slice(0, 32);

/** The version of a plant that was just added or imported: the same for the same id and fields. */
export const firstVersion = (plant: Plant): string =>
  digestOf(Object.entries(plant).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The version after a change. It depends on the version before it, so that no later change leads back to an
 * earlier version. Beside that, it depends on the change alone, so that a repeated request recognizes the
 * version that it has made itself.
 */
export const nextVersion = (version: string, change: unknown): string => digestOf([version, change]);

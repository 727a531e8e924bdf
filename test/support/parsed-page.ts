import { z } from 'zod';
import type { Page } from '../../functions/list-plants/list-plants.ts';
import type { Plant } from '../../table/plant.ts';

const plantsSchema = z.array(z.strictObject({ name: z.string(), tag: z.string().exactOptional() }));

/** A page with its plants as objects. */
export interface ParsedPage extends Omit<Page, 'plants'> {
  readonly plants: readonly Plant[];
}

export const parsedPage = ({ plants, ...page }: Page): ParsedPage => ({
  ...page,
  plants: plantsSchema.parse(JSON.parse(JSON.stringify(plants))),
});

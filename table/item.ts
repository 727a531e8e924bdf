/** A plant with the id that tells it from others of its name. */
export interface IdentifiedPlant {
  readonly id: string;
  readonly name: string;
  readonly tag?: string;
}

/** In the form of DynamoDB's protocol. */
export type PlantItem = Record<'principal' | 'sortKey' | 'name', { S: string }> & { tag?: { S: string } };

/** What the table holds for a plant that a principal has access to (README, "Data"). */
export const itemOf = (principal: string, { id, name, tag }: IdentifiedPlant): PlantItem => ({
  principal: { S: principal },
  sortKey: { S: `${name}\u0000${id}` },
  name: { S: name },
  ...(tag !== undefined && { tag: { S: tag } }),
});

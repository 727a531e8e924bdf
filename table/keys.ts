const principalAttribute = 'principal';

/** The table's primary key: the list reads a partition in the order of its sort keys. */
export const primaryKey = { partitionKey: principalAttribute, sortKey: 'sortKey' } as const;

/** The index for finding the principals of a plant. It holds the keys of all items with a `plantId`. */
export const plantIndex = {
  name: 'by-plant',
  partitionKey: 'plantId',
  sortKey: principalAttribute,
} as const;

/** The name of an attribute in a key of the table or the index. */
export type KeyAttribute =
  (typeof primaryKey)['partitionKey' | 'sortKey'] | (typeof plantIndex)['partitionKey' | 'sortKey'];

/** The primary key of an item in DynamoDB's protocol. */
export type ItemKey = Readonly<
  Record<(typeof primaryKey)['partitionKey' | 'sortKey'], { readonly S: string }>
>;

export const itemKey = (principal: string, sortKey: string): ItemKey => ({
  [primaryKey.partitionKey]: { S: principal },
  [primaryKey.sortKey]: { S: sortKey },
});

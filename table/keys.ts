/** The table's primary key: the list reads a partition in the order of its sort keys. */
export const primaryKey = { partitionKey: 'principal', sortKey: 'sortKey' } as const;

/** The index for finding the principals of a plant. It holds the keys of all items with a `plantId`. */
export const plantIndex = { name: 'by-plant', partitionKey: 'plantId', sortKey: 'principal' } as const;

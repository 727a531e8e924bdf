/** The index for finding the principals of a plant. It holds the keys of all items with a `plantId`. */
export const plantIndex = { name: 'by-plant', partitionKey: 'plantId', sortKey: 'principal' } as const;

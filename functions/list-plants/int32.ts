/** The largest int32: the specification's maximum of `limit`, and DynamoDB's of a Query's `Limit`. */
export const maxInt32 = 2_147_483_647;

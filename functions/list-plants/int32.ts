/** The largest int32: the specification's maximum of `limit`. */
export const maxInt32 = 2_147_483_647;

/** The id of a plant, which is the table's sort key: its identity, and its position in the order. */
export type SortKey = string & { readonly __brand: 'SortKey' };

/** The unreserved characters have one byte each. */
export const maxSortKeyBytes = 255;

/**
 * The unreserved characters of a URL (RFC 3986 section 2.3), because the id is a segment of a path. Clients
 * remove the segments `.` and `..`. The service makes UUIDs of version 7; an import can bring other ids.
 */
const idSyntax = /^(?!\.\.?$)[A-Za-z0-9._~-]{1,255}$/;

/** The sort key of a plant. Without a name in it, one consistent read finds a plant by its id. */
export const sortKeyOf = ({ id }: { readonly id: string }): string => id;

/** Whether a value is a sort key: an id of 1 to 255 unreserved characters. */
export const isSortKey = (value: unknown): value is SortKey =>
  typeof value === 'string' && idSyntax.test(value);

/** Whether a value is the sort key of a valid plant: any plant can have any id. */
export const isKeyOf = isSortKey;

/** The id in a sort key. */
export const idIn = (sortKey: string): string => sortKey;

/** What is wrong with the id of an imported plant; undefined: nothing. */
export const keyProblem = ({ id }: { readonly id: string }): string | undefined =>
  isSortKey(id) ? undefined : 'id must have 1 to 255 of the characters A-Z, a-z, 0-9, ".", "_", "~" and "-"';

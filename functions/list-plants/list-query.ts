import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';

/** Which plants to list. */
export interface ListQuery {
  /** In order of rank: of two copies of a plant, that of the first principal counts. */
  readonly principals: readonly Principal[];
  /** At most this many plants. */
  readonly limit: number;
  /** Only plants after this position in the order. */
  readonly after?: SortKey | undefined;
  /** The most bytes that the plants may certainly take as JSON. */
  readonly maxBytes: number;
}

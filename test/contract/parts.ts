import type { GuardedStore } from '../support/table/guarded-store.ts';
import { describeAccess } from './access.ts';
import { describeListing } from './listing.ts';
import { describeOrder } from './order.ts';
import { describePaging } from './paging.ts';
import { describeResponses } from './responses.ts';
import type { Target } from './target.ts';

/** The parts of the contract by their names, in the order in which they run. */
export const parts: Readonly<Record<string, (target: () => Target) => void>> = {
  listing: describeListing,
  order: describeOrder,
  paging: describePaging,
  responses: describeResponses,
  access: describeAccess,
};

/** More parts, for the functions in process alone, because they change the responses of the table. */
export const partsWithGuard: Readonly<
  Record<string, (target: () => Target, guard: () => GuardedStore) => void>
> = {};

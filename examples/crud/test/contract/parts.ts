import type { GuardedStore } from '../support/table/guarded-store.ts';
import { describeAccess } from './access.ts';
import { describeAdding } from './adding.ts';
import { describeBodies, describeLogsOfBodies } from './bodies.ts';
import { describeChanging } from './changing.ts';
import { describeDeleting } from './deleting.ts';
import { describeFinding } from './finding.ts';
import { describeInterruptions } from './interruptions.ts';
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
  adding: describeAdding,
  finding: describeFinding,
  changing: describeChanging,
  deleting: describeDeleting,
  bodies: describeBodies,
  responses: describeResponses,
  access: describeAccess,
};

/** More parts, for the functions in process alone, because they change the responses of the table. */
export const partsWithGuard: Readonly<
  Record<string, (target: () => Target, guard: () => GuardedStore) => void>
> = { interruptions: describeInterruptions, 'logs of bodies': describeLogsOfBodies };

import { expect } from 'vitest';
import { respondBeforeTimeout } from '../../../../functions/list-plants/build-handler.ts';
import type { FunctionProcess } from '../process/function-process.ts';
import { listEvent, listKinds, summaryOf } from './requests.ts';
import { mixOf } from '../mix.ts';
import type { Target } from '../soak.ts';

/** The clock goes on by this much with each request, so that 200,000 take two days. */
const stepMs = 1000;
/** Long before the deadline, so that only the store's own bounds end a request. */
const plentyMs = 8500;

/** The list function under a mix of all kinds of requests. */
export const listFunction = ({ invoke, measure }: FunctionProcess): Target => {
  const kindOf = mixOf(listKinds);
  return {
    send: async (index) => {
      const kind = kindOf(index);
      const aheadMs = index * stepMs;
      const event = listEvent(kind, index, Date.now() + aheadMs);
      const remainingMs = respondBeforeTimeout + (kind.respondWithinMs ?? plentyMs);
      const outcome = await invoke({ event, remainingMs, aheadMs });
      const response = outcome.type === 'result' ? summaryOf(outcome.payload) : outcome;
      expect({ kind, response }).toEqual({ kind, response: kind.expected });
    },
    measure,
  };
};

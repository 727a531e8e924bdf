import { commonErrors } from '../http/common-errors.ts';
import { type CatalogueEntry, throwAs } from '../http/service-error.ts';
import { ListTooLarge } from '../plant-store/list-page.ts';
import { StoreUnavailable } from '../plant-store/plant-store.ts';

/** The largest int32, which is the specification's maximum of `limit`. */
export const maxLimit = 2_147_483_647;

/** Every error that the list can respond with. */
export const catalogue = {
  ...commonErrors,
  invalidLimit: {
    error: 1001,
    statusCode: 400,
    message:
      `The limit is not valid. Pass one whole number from 0 to ${String(maxLimit)}, ` +
      'without sign or leading zeros.',
  },
  invalidCursor: {
    error: 1002,
    statusCode: 400,
    message: 'The cursor is not valid. Take it unchanged from the Link header of the previous response.',
  },
  resultTooLarge: {
    error: 1003,
    statusCode: 400,
    message:
      'The result is too large for one response. ' +
      'Pass a limit, or a smaller one, and follow the Link headers.',
  },
  deadlineExceeded: {
    ...commonErrors.deadlineExceeded,
    message: 'The response was not ready in time. Try again in a moment, or pass a smaller limit.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** Throws the error that the caller gets for a failure of the store: 2001 or 1003. */
export const throwServiceError = throwAs([
  [StoreUnavailable, catalogue.storeUnavailable],
  [ListTooLarge, catalogue.resultTooLarge],
]);

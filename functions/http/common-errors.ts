import type { CatalogueEntry } from './service-error.ts';

/** The errors that every operation can respond with. */
export const commonErrors = {
  noCaller: {
    error: 1004,
    statusCode: 401,
    message: 'The request has no valid caller. Send a bearer token that has not expired.',
  },
  unexpected: {
    error: 2000,
    statusCode: 400,
    message: 'An unexpected error occurred. Try again in a moment.',
  },
  storeUnavailable: {
    error: 2001,
    statusCode: 400,
    message: 'The plant store did not respond or is overloaded. Try again in a moment.',
  },
  deadlineExceeded: {
    error: 2002,
    statusCode: 400,
    message: 'The response was not ready in time. Try again in a moment.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

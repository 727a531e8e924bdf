import { buildHandler } from '../../functions/http/build-handler.ts';
import type { Dependencies, HttpEvent } from '../../functions/http/operation.ts';
import { catalogue } from '../../functions/list-plants/errors.ts';
import { respond } from '../../functions/list-plants/respond.ts';

/** The time of requests made with `listEvent`, in milliseconds since 1970. */
export const requestTime = Date.UTC(2030, 0, 1);

/** The gateway's event for a request that the authorizer allowed. */
export const listEvent = ({
  query = '',
  subject = 'alice',
  groups = [],
  acceptEncoding,
}: {
  readonly query?: string;
  readonly subject?: string;
  readonly groups?: readonly string[];
  readonly acceptEncoding?: string;
} = {}): HttpEvent => ({
  rawQueryString: query,
  headers: { ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }) },
  requestContext: {
    authorizer: { lambda: { subject, groups, expiresAt: requestTime / 1000 + 60 } },
  },
});

/** The list function's handler with these dependencies. */
export const listHandler = (dependencies: Dependencies): ReturnType<typeof buildHandler> =>
  buildHandler(respond, dependencies, catalogue.deadlineExceeded);

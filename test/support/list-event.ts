import type { HttpEvent } from '../../functions/http/payload-format.ts';

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

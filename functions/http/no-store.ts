/** For every response: it depends on the caller, and access can be revoked at any time (RFC 9111 section 5.2.2). */
export const noStore = { 'Cache-Control': 'private, no-store' } as const;

/** On every response: it depends on who asks, and access can be withdrawn at any time (RFC 9111 section 5.2.2). */
export const noStore = { 'Cache-Control': 'private, no-store' } as const;

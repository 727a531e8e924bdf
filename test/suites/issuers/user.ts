/** The one user of every issuer under test. */
export const username = 'flora';
export const password = 'Fern-and-moss-7';
/** Sorted. */
export const groups = ['fern-club', 'moss-club'];

/** The one user of every issuer under test. */
export const username = 'flora';
export const password = 'Fern-and-moss-7';
/** In order. */
export const groups = ['fern-club', 'moss-club'];

/** The name of the one user that every issuer under test has. */
export const username = 'flora';
export const password = 'Fern-and-moss-7';
/** The groups of the user at Cognito, sorted. */
export const groups = ['fern-club', 'moss-club'];

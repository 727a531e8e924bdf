import { claimEntries } from './claims.ts';
import { credentialEntries } from './credentials.ts';
import type { Entry } from './entry.ts';
import { tokenEntries } from './tokens.ts';

/** Authorization headers with the expected decisions, in a stage with the profile rfc9068. */
export const corpus: readonly Entry[] = [...credentialEntries, ...tokenEntries, ...claimEntries];

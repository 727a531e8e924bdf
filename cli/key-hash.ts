import { hash } from 'node:crypto';
import type { GrantKey } from './table/grant.ts';

/** Names an item without an id, and without its name: 12 hexadecimal digits. */
export const keyHash = ({ sortKey }: GrantKey): string => hash('sha256', sortKey).slice(0, 12);

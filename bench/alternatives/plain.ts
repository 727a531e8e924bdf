import { plainHandler } from './plain-handler.ts';
import { readItems } from './read-items.ts';

/** The SDK without a framework. */
export const handler = plainHandler(readItems);

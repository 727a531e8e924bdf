import { fileURLToPath } from 'node:url';

/** The folder of the checkout, whatever folder a command is run in. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

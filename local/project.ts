import { fileURLToPath } from 'node:url';

/** The folder of the checkout, whatever the working directory. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

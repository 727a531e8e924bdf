import { UserError } from '../../terminal/user-error.ts';

/** A file cannot be read to its end for what is in it: running the command again leads there again. */
export class FileError extends UserError {}

import { UserError } from '../../terminal/user-error.ts';

/** The content of a file is wrong, so that running the command again fails in the same way. */
export class FileError extends UserError {}

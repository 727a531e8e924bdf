/** Something the person at the terminal can mend; the message is one sentence that says what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** The code of a system error, such as `EADDRINUSE`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Ends the process: with one line for what can be mended, with the whole error for a mistake of ours. */
export const endWith = (error: unknown): never => {
  if (error instanceof UserError) console.error(error.message);
  else console.error(error);
  process.exit(1);
};

/** Names an error in a log: its code or its class, never its message, which can quote data. */
export const errorName = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

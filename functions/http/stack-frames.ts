/**
 * The frames of an error's stack, which show where it was thrown, without its message, which can quote data.
 * @returns undefined if the message was changed after the stack was recorded, because the old message could
 * not be cut off
 */
export const stackFrames = (error: unknown): readonly string[] | undefined => {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const lines = error.stack.split('\n');
  const headingLength = error.message.split('\n').length;
  const heading = lines.slice(0, headingLength).join('\n');
  if (!heading.endsWith(error.message)) return undefined;
  return lines.slice(headingLength).map((line) => line.trim());
};

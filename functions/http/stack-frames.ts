/**
 * Where an error was thrown: the frames of its stack, without its message, which can quote data.
 * @returns undefined if the stack has an earlier message, which cannot be told from frames
 */
export const stackFrames = (error: unknown): readonly string[] | undefined => {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const lines = error.stack.split('\n');
  const headingLength = error.message.split('\n').length;
  const heading = lines.slice(0, headingLength).join('\n');
  if (!heading.endsWith(error.message)) return undefined;
  return lines.slice(headingLength).map((line) => line.trim());
};

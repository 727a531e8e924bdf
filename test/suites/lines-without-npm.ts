/** The lines that a command printed, without npm's own lines. */
export const linesWithoutNpm = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line !== '' && !line.startsWith('> ') && !line.startsWith('npm '));

/** What a command printed itself: without npm's banner and npm's own remarks. */
export const ownLines = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line !== '' && !line.startsWith('> ') && !line.startsWith('npm '));

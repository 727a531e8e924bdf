/** The sections of a heading level: each heading with the text below it. */
export const sectionsOf = (
  markdown: string,
  level: number,
): readonly (readonly [heading: string, text: string])[] =>
  markdown
    .split(new RegExp(`^${'#'.repeat(level)} `, 'm'))
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading, lines.join('\n')];
    });

/** The blocks of shell code, in their order. */
export const shellBlocks = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '');

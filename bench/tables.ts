import type { Figures, Results } from './results.ts';

type Row = readonly string[];

const header = ['variant', 'bundle KB', 'cold', 'ratio', 'warm', 'billed'];

/** The tables of bench/README.md, of the list function and of the authorizer, aligned as Prettier does. */
export const tables = ({ list, authorizer }: Results): readonly string[] => [
  table(
    [
      ...[...header, 'Queries (20 plants)', '4,000 plants', 'Queries (4,000 plants)'],
      ...['100 principals', 'Queries (100 principals)'],
    ],
    rows(list.variants, 'cdk-default', (figures) =>
      [
        figures.queries,
        figures.longListMs,
        figures.longListQueries,
        figures.manyPrincipalsFirstMs,
        figures.manyPrincipalsQueries,
      ].map((figure) => figure.toFixed(0)),
    ),
  ),
  table(
    header,
    rows(authorizer.variants, 'jose-documented', () => []),
  ),
];

/** @param baseline the variant to which the others are compared: a library as its documentation shows it */
const rows = <F extends Figures>(
  variants: Readonly<Record<string, F>>,
  baseline: string,
  more: (figures: F) => Row,
): readonly Row[] =>
  byColdStart(variants).map(([name, figures]) => [
    name,
    (figures.bundleBytes / 1000).toFixed(0),
    figures.coldMs.toFixed(0),
    (figures.coldMs / (variants[baseline]?.coldMs ?? NaN)).toFixed(2),
    figures.warmMs.toFixed(1),
    figures.billedMs.toFixed(1),
    ...more(figures),
  ]);

/** The variants, with the fastest cold start first. */
export const byColdStart = <F extends Figures>(
  variants: Readonly<Record<string, F>>,
): readonly (readonly [name: string, figures: F])[] =>
  Object.entries(variants).toSorted(([, one], [, other]) => one.coldMs - other.coldMs);

const table = (heading: Row, body: readonly Row[]): string => {
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...body].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: Row): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [heading, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('');
};

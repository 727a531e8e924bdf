import { readFileSync, writeFileSync } from 'node:fs';
import type { Results, ShareFigures } from '../results.ts';
import { chosenMemory, memoryCosts } from '../share/memory-choice.ts';

type Row = readonly string[];

const common = ['MB', 'init', 'first request', 'cold', 'warm', 'billed', 'USD per million'];

/** The figures as the Markdown tables in bench/README.md, aligned as Prettier does. */
export const shareTables = ({ share, memoryRuns }: Results): readonly string[] => {
  const { list, authorizer, pair } = share;
  return [
    table(
      ['list function', ...common, '4,000 plants', '100 principals'],
      rows(list, ({ largeMs, manyPrincipalsFirstMs }) => [
        largeMs.toFixed(0),
        manyPrincipalsFirstMs.toFixed(0),
      ]),
    ),
    table(
      ['authorizer', ...common],
      rows(authorizer, () => []),
    ),
    table(
      ['in a row', 'cold'],
      Object.entries(pair).map(([variant, { coldMs }]) => [variant, coldMs.toFixed(0)]),
    ),
    table(
      ['memory of', 'MB', 'mean ms', 'USD per million', 'chosen'],
      (['list', 'authorizer'] as const).flatMap((task) => {
        const costs = memoryCosts(memoryRuns, task);
        return costs.map((cost) => [
          names[task],
          String(cost.memoryMb),
          cost.ms.toFixed(1),
          // Two digits would hide which sizes are within a tenth of the lowest price.
          cost.usdPerMillion.toFixed(4),
          cost === chosenMemory(costs) ? 'yes' : '',
        ]);
      }),
    ),
  ];
};

const names = { list: 'list function', authorizer: 'authorizer' } as const;

/** By memory size, and the fastest cold start first. */
const rows = <F extends ShareFigures>(
  bySize: Readonly<Record<string, Readonly<Record<string, F>>>>,
  more: (figures: F) => Row,
): readonly Row[] =>
  Object.entries(bySize)
    .flatMap(([variant, sizes]) => Object.entries(sizes).map(([mb, figures]) => ({ variant, mb, figures })))
    .sort((a, b) => Number(a.mb) - Number(b.mb) || a.figures.coldMs - b.figures.coldMs)
    .map(({ variant, mb, figures }) => [
      variant,
      mb,
      ...[figures.initMs, figures.firstMs, figures.coldMs].map((ms) => ms.toFixed(0)),
      ...[figures.warmMs, figures.billedMs].map((ms) => ms.toFixed(1)),
      figures.usdPerMillion.toFixed(3),
      ...more(figures),
    ]);

const table = (header: Row, body: readonly Row[]): string => {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...body].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: Row): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [header, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('');
};

/** Replaces the tables in bench/README.md that have the same first column and the next. */
export const writeShareTables = (results: Results): void => {
  const readme = new URL('../README.md', import.meta.url);
  const written = shareTables(results).reduce(
    (text, replacement) => {
      const [first = '', second = ''] = replacement
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      const sameHeader = new RegExp(`^\\| ${first} +\\| ${second} .*\\n(?:\\|.*\\n)+`, 'm');
      if (!sameHeader.test(text)) throw new Error(`bench/README.md has no table with the column ${first}.`);
      return text.replace(sameHeader, replacement);
    },
    readFileSync(readme, 'utf8'),
  );
  writeFileSync(readme, written);
};

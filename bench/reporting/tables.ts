import type { ListCost, Results, ShareFigures } from '../results.ts';

type Row = readonly string[];

const shareHeader = ['function', 'variant', 'MB', 'cold', 'warm', 'billed', 'USD per million'];

/** The tables of bench/README.md, aligned as Prettier does; none for a part that was not measured. */
export const tables = ({ list, authorizer, share, lists }: Results): readonly string[] =>
  [
    table(
      ['function', 'variant', 'cold start, ratio', 'ms', 'CPU ms', 'bundle KB'],
      [...coldStartRows('list', list), ...coldStartRows('authorizer', authorizer)],
    ),
    table(
      [...shareHeader, '4,000 plants', '100 principals'],
      [
        ...shareRows('list', share.list, ({ largeMs, manyPrincipalsFirstMs }) => [
          largeMs.toFixed(0),
          manyPrincipalsFirstMs.toFixed(0),
        ]),
        ...shareRows('authorizer', share.authorizer, () => ['', '']),
      ],
    ),
    table(
      ['list', 'Queries', 'ms', 'CPU ms', 'peak MB', 'KB', 'ms, Brotli', 'KB, Brotli'],
      [...Map.groupBy(lists, listName)].map(([name, encodings]) => [name, ...listFigures(encodings)]),
    ),
  ].filter((each) => each !== '');

/** The fastest first. */
const coldStartRows = (task: string, results: Results['list']): readonly Row[] =>
  Object.entries(results)
    .sort(([, a], [, b]) => a.coldMs - b.coldMs)
    .map(([variant, { coldRatio, coldMs, cpuMs, bundleBytes }]) => [
      task,
      variant,
      coldRatio.toFixed(2),
      coldMs.toFixed(0),
      cpuMs.toFixed(0),
      (bundleBytes / 1000).toFixed(0),
    ]);

/** By memory size, and the fastest first. */
const shareRows = <F extends ShareFigures>(
  task: string,
  bySize: Readonly<Record<string, Readonly<Record<string, F>>>>,
  more: (figures: F) => Row,
): readonly Row[] =>
  Object.entries(bySize)
    .flatMap(([variant, sizes]) => Object.entries(sizes).map(([mb, figures]) => ({ variant, mb, figures })))
    .sort((a, b) => Number(a.mb) - Number(b.mb) || a.figures.coldMs - b.figures.coldMs)
    .map(({ variant, mb, figures }) => [
      task,
      variant,
      mb,
      figures.coldMs.toFixed(0),
      figures.warmMs.toFixed(1),
      figures.billedMs.toFixed(1),
      figures.usdPerMillion.toFixed(3),
      ...more(figures),
    ]);

const listName = ({ plants, principals, shared }: ListCost): string => {
  const size = plants.toLocaleString('en');
  const owners = `${principals.toLocaleString('en')} ${principals === 1 ? 'principal' : 'principals'}`;
  return shared ? `a list page of ${size} that ${owners} share` : `${size} of ${owners}`;
};

/** The list without compression, then with. */
const listFigures = (encodings: readonly ListCost[]): Row => {
  const time = ({ warmMs }: ListCost): string => warmMs.toFixed(1);
  const size = ({ resultBytes }: ListCost): string => (resultBytes / 1000).toFixed(0);
  const [plain, brotli] = encodings;
  if (plain === undefined || brotli === undefined) return [];
  const { queries, cpuMs, rssMb } = plain;
  return [
    String(queries),
    time(plain),
    cpuMs.toFixed(1),
    rssMb.toFixed(0),
    size(plain),
    time(brotli),
    size(brotli),
  ];
};

/** Empty without rows. */
const table = (header: Row, rows: readonly Row[]): string => {
  if (rows.length === 0) return '';
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: Row): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
};

import type { Results } from '../results.ts';
import { shareTables } from './tables.ts';

/** Prints the figures as tables. */
export const printResults = (results: Results): void => {
  const { list, authorizer, large, scale, growth, shared, share } = results;
  for (const [title, variants] of Object.entries({
    'Cold start, list': list,
    'Cold start, authorizer': authorizer,
  })) {
    printTable(
      title,
      Object.entries(variants)
        .sort(([, a], [, b]) => a.coldMs - b.coldMs)
        .map(([variant, { quartiles, ...figures }]) => {
          const { q1, q3 } = quartiles.coldMs;
          return { variant, ...figures, 'middle half': `${String(q1)} to ${String(q3)}` };
        }),
    );
  }
  printTable(
    'A large list',
    Object.entries(large)
      .sort(([, a], [, b]) => a.cpuMs - b.cpuMs)
      .map(([variant, figures]) => ({ variant, ...figures })),
    ['variant', 'plants', 'warmMs', 'cpuMs', 'cpuRatio', 'rssMb'],
  );
  const loads = ['plants', 'principals', 'encoding'];
  const costs = ['warmMs', 'cpuMs', 'rssMb', 'requestsPerSecond', 'resultBytes'];
  printTable('Lists by size', scale, [...loads, ...costs]);
  printTable('Growth', growth);
  printTable('Plants that all principals share', shared, [...loads, 'limit', 'queries', ...costs]);
  if (Object.keys(share.pair).length > 0) console.log(`\n${shareTables(results).join('\n')}`);
};

const printTable = (title: string, rows: readonly object[], columns?: readonly string[]): void => {
  if (rows.length === 0) return;
  console.log(`\n${title}`);
  console.table(rows, columns);
};

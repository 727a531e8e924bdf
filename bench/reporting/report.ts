import { readFileSync, writeFileSync } from 'node:fs';
import { type Results, resultsSchema } from '../results.ts';
import { drawPlots } from './plots.ts';
import { tables } from './tables.ts';

/** Draws the plots of bench/README.md, and replaces its tables. */
export const writeReport = async (results: Results): Promise<void> => {
  await drawPlots(results);
  const readme = new URL('../README.md', import.meta.url);
  const replacements = [...tables(results)];
  const text = readFileSync(readme, 'utf8').replaceAll(/(?:^\|.*\n)+/gm, () => replacements.shift() ?? '');
  writeFileSync(readme, text);
};

// Run as a program, this file reports the committed results.
if (import.meta.main) {
  const file = new URL('../results.json', import.meta.url);
  await writeReport(resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

import { readFileSync } from 'node:fs';
import { type Results, resultsSchema } from '../results.ts';
import { drawPlots } from './plots.ts';
import { writeShareTables } from './tables.ts';

/** Draws the plots, and writes the tables at the share into bench/README.md. */
export const writeReport = async (results: Results): Promise<void> => {
  await drawPlots(results);
  writeShareTables(results);
};

// As a command, it does so again with the committed results.
if (import.meta.main) {
  const file = new URL('../results.json', import.meta.url);
  await writeReport(resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

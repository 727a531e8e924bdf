import { readFileSync, writeFileSync } from 'node:fs';
import { plotColdStarts } from './plot.ts';
import type { Results } from './results.ts';
import { tables } from './tables.ts';

const fileOf = (name: string): URL => new URL(name, import.meta.url);

/** Writes the results, the plot, and the tables of bench/README.md. */
export const publish = async (results: Results): Promise<void> => {
  writeFileSync(fileOf('results.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(fileOf('cold-start.svg'), `${await plotColdStarts(results)}\n`);
  const replacements = [...tables(results)];
  const readme = readFileSync(fileOf('README.md'), 'utf8');
  const text = readme.replaceAll(/(?:^\|.*\n)+/gm, () => replacements.shift() ?? '');
  writeFileSync(fileOf('README.md'), text);
};

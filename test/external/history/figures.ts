import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { type Figures, sumOf } from './check-histories.ts';

const documentFile = fileURLToPath(new URL('../../../docs/external-suites.md', import.meta.url));
const resultFile = fileURLToPath(new URL('../../../test-results/external/history.md', import.meta.url));
const place = /(?<=<!-- histories -->\n)[^]*?(?=<!-- \/histories -->)/;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const whole = (value: number): string => value.toFixed(0);

/** A table of what ran, with a column for each target. */
const tableOf = (ran: ReadonlyMap<string, Figures>): string => {
  const figures = [...ran.values()];
  const rowOf = (title: string, value: (each: Figures) => number): string =>
    row([title, ...figures.map((each) => whole(value(each)))]);
  const rowsOf = (of: 'steps' | 'responses', prefix: string): readonly string[] =>
    [...new Set(figures.flatMap((each) => [...each[of].keys()]))]
      .sort()
      .map((kind) => rowOf(`${prefix}${kind}`, (each) => each[of].get(kind) ?? 0));
  return [
    row(['', ...ran.keys()]),
    row(['---', ...figures.map(() => '---')]),
    rowOf('seed', (each) => each.seed),
    rowOf('seconds', (each) => each.seconds),
    rowOf('histories', (each) => each.histories),
    rowOf('steps', (each) => sumOf(each.steps)),
    ...rowsOf('steps', 'step: '),
    rowOf('responses', (each) => sumOf(each.responses)),
    ...rowsOf('responses', 'response: '),
  ].join('\n');
};

/**
 * Writes the figures into test-results/external/history.md.
 * @param alsoDocument writes them into docs/external-suites.md, too
 */
export const writeFigures = async (
  ran: ReadonlyMap<string, Figures>,
  alsoDocument: boolean,
): Promise<void> => {
  const options = { ...(await resolveConfig(documentFile)), filepath: documentFile };
  const table = await format(tableOf(ran), options);
  writeFileSync(resultFile, table);
  if (!alsoDocument) return;
  const document = readFileSync(documentFile, 'utf8');
  writeFileSync(
    documentFile,
    await format(
      document.replace(place, () => `\n${table}\n`),
      options,
    ),
  );
};

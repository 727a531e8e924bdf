import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { SuiteResult } from './result.ts';
import { suites } from './suites.ts';

const documentFile = fileURLToPath(new URL('../../docs/external-suites.md', import.meta.url));
const place = /(?<=<!-- suites -->\n)[^]*?(?=<!-- \/suites -->)/;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The rows of the results, by suite. A suite that was skipped has none. */
const rowsOf = (results: readonly SuiteResult[]): ReadonlyMap<string, string> =>
  new Map(
    suites.flatMap(({ name, proves }) =>
      results
        .filter(({ suite, skipped }) => suite === name && !skipped)
        .map(({ systems, passed, seconds }) => [
          name,
          row([`\`${name}\``, systems.join(', ') || 'none', proves, String(passed), String(seconds)]),
        ]),
    ),
  );

/** The rows of the table in the document, by suite. */
const rowsIn = (document: string): ReadonlyMap<string, string> =>
  new Map([...document.matchAll(/^\| `(\w+)` .*$/gm)].map(([text, name = '']) => [name, text]));

/** Writes the results into docs/external-suites.md; the row of a suite that was skipped stays as it is. */
export const writeTable = async (results: readonly SuiteResult[]): Promise<void> => {
  const document = readFileSync(documentFile, 'utf8');
  const rows = new Map([...rowsIn(document), ...rowsOf(results)]);
  const columns = ['suite', 'external system', 'what it proves', 'cases', 'seconds'];
  const table = [
    row(columns),
    row(columns.map(() => '---')),
    ...suites.map(({ name }) => rows.get(name) ?? ''),
  ];
  const options = { ...(await resolveConfig(documentFile)), filepath: documentFile };
  writeFileSync(
    documentFile,
    await format(
      document.replace(place, () => `\n${table.join('\n')}\n\n`),
      options,
    ),
  );
};

/** What does not change from run to run: not the cases, the seconds, and the versions that Debian chooses. */
const lasting = (text = ''): string =>
  text
    .split(/ *\| */)
    .slice(0, 4)
    .join('|')
    .replaceAll(/(Chromium|Docker) [\w.+~-]+/g, '$1');

/** The suites whose row in docs/external-suites.md is not that of these results. */
export const outdatedRows = (results: readonly SuiteResult[]): readonly string[] => {
  const written = rowsIn(readFileSync(documentFile, 'utf8'));
  const seen = rowsOf(results);
  const removed = [...written.keys()].filter((name) => !suites.some((suite) => suite.name === name));
  return [
    ...[...seen.keys()].filter((name) => lasting(seen.get(name)) !== lasting(written.get(name))),
    ...removed,
  ];
};

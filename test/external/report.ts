import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { lanes } from './suites.ts';
import { type LaneResult, readResults } from './result.ts';

const readmeFile = fileURLToPath(new URL('../../README.md', import.meta.url));
const table = /(?<=<!-- lanes -->\n)[^]*?(?=<!-- \/lanes -->)/;

/** Why the last results cannot stand in the README; undefined when they can. */
const missing = (results: readonly LaneResult[]): string | undefined => {
  const without = lanes.filter(
    ({ name }) =>
      !results.some(
        (each) => each.lane === name && each.failed === 0 && (each.skipped ? checking : each.passed > 0),
      ),
  );
  return without.length === 0
    ? undefined
    : `No good result of ${without.map(({ name }) => name).join(', ')}: run npm run test:lanes first.`;
};

const render = (results: readonly LaneResult[]): string => {
  const rows = lanes.flatMap(({ name, proves }) =>
    results
      .filter(({ lane }) => lane === name)
      .map(({ engines, passed, seconds }) =>
        [`\`${name}\``, engines.join(', '), proves, String(passed), String(seconds)].join(' | '),
      ),
  );
  return ['lane | engine | what it proves | cases | seconds', '--- | --- | --- | --- | ---', ...rows]
    .map((row) => `| ${row} |\n`)
    .join('');
};

/** A lane that cannot run on this machine proves nothing here, and contradicts nothing. */
const withoutSkipped = (text: string): string =>
  results
    .filter(({ skipped }) => skipped)
    .reduce((rest, { lane }) => rest.replace(new RegExp(`^\\| \`${lane}\` .*\\n`, 'm'), ''), text);

/**
 * What must be the same in the README and in a run: all but how long it took, how many cases a tool drew, and the
 * versions of Debian's choice.
 */
const lasting = (text: string): string =>
  text
    .replaceAll(/(Chromium|Docker) [\w.+~-]+/g, '$1')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/-+/g, '-')
    .replaceAll(/\| \d+ \| \d+ \|/g, '|');

const checking = process.argv.includes('--check');
const readme = readFileSync(readmeFile, 'utf8');
const results = readResults();
const problem = missing(results);
const rendered = await format(readme.replace(table, `\n${render(results)}\n`), {
  ...(await resolveConfig(readmeFile)),
  filepath: readmeFile,
});
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else if (!checking) {
  writeFileSync(readmeFile, rendered);
} else if (lasting(withoutSkipped(rendered)) !== lasting(withoutSkipped(readme))) {
  console.error('The table of lanes in the README is not that of this run: run npm run test:lanes.');
  process.exitCode = 1;
}

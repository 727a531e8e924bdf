import { format, resolveConfig } from 'prettier';
import { type Bounds, medians, most, type Soak } from './soak.ts';

/** A soak of a target, with what it had to stay within. */
export interface Result {
  readonly target: string;
  readonly run: Soak;
  readonly bounds: Bounds;
}

const introduction = `# Soak test

Does a process that handles requests for days still hold what it held at the beginning? The suite \`soak\` sends each target a
long mix of requests, checks every response, and repeatedly measures what the process holds.

- **list function**: the synthesized bundle in a process of its own, as in one execution environment: one request at a time.
  Its store also throttles, fails, resets and cuts connections, responds with invalid data, endlessly or not at all.
  There are short lists, lists of 1 to 25 MB, one principal and 101, and requests that the deadline ends.
- **authorizer**: the same for the authorizer's bundle, with a clock that advances by hours each second. Its issuer replaces its
  keys, and its key set fails in twelve ways. The test also counts the fetches of the key set.
- **npm start**: 50 callers at once with connections that stay open, malformed HTTP, requests that callers abandon.

\`SOAK_REQUESTS=200000 npm run test:external -- soak\` writes this page. Without the variable the suite sends a tenth, and
writes its figures to \`test-results/external/soak.md\`. It also adds leaks to a bundle (100 bytes, a timer, a listener, a
connection for each request), and fails when one is not seen.

A pair of figures has the medians of the run’s second tenth and of its last tenth, and by how much the second may exceed the
first. The other figures are the most after the first tenth, with their bounds. Resident memory is measured before and after
garbage collection, the heap (with buffers) after it. The figures of \`npm start\` are the sums of its processes and workers.

`;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const row = ({ target, run, bounds }: Result): string => {
  const size = (measure: 'rss' | 'rssWithGarbage' | 'heap'): string => {
    const [first, last] = medians(run, measure);
    if (Number.isNaN(first)) return '–';
    const bound = bounds[measure];
    return `${megabytes(first)}, ${megabytes(last)}${bound === undefined ? '' : ` (+${megabytes(bound)})`}`;
  };
  const number = (measure: 'sockets' | 'timers' | 'listeners' | 'warnings'): string => {
    const value = most(run, measure);
    return Number.isNaN(value) ? '–' : `${String(value)} (${String(bounds[measure])})`;
  };
  const cells = [
    ...[target, run.requests.toLocaleString('en'), String(Math.round(run.seconds))],
    ...[size('rss'), size('rssWithGarbage'), size('heap')],
    ...[number('sockets'), number('timers'), number('listeners'), number('warnings')],
  ];
  return `| ${cells.join(' | ')} |`;
};

const columns = [
  ...['target', 'requests', 'seconds', 'resident MB', 'resident MB with garbage', 'heap MB'],
  ...['sockets', 'timers', 'listeners', 'warnings'],
];

/** Renders the results as the document at `file`. */
export const soakDocument = async (results: readonly Result[], file: string): Promise<string> =>
  format(
    `${introduction}| ${columns.join(' | ')} |
| ${columns.map(() => '---').join(' | ')} |
${results.map(row).join('\n')}\n`,
    { ...(await resolveConfig(file)), filepath: file },
  );

/** The lines of a document, with only the first cell of each row: the figures differ from run to run. */
export const withoutFigures = (document: string): readonly string[] =>
  document.split('\n').map((line) => (line.startsWith('|') ? (line.split(/ *\| */)[1] ?? '') : line));

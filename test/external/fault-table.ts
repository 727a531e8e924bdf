import { format, resolveConfig } from 'prettier';

/** What was seen of one fault. */
export interface Observation {
  readonly side: string;
  readonly fault: string;
  readonly status: number;
  /** What the body said, shortly. */
  readonly answer: string;
  /** The longest time to an answer while the fault lasted. */
  readonly seconds: number;
  /** How long after its end the first good answer was there, and to which request. */
  readonly recovery: { readonly seconds: number; readonly request: number };
}

const introduction = `# Faults

What a caller gets while the store or the issuer’s key set misbehaves. Written by \`npm run test:faults\`, which fails when
it sees another status or answer than is written here; times are of the run that wrote it, those of the last run are in
\`test-results/external/faults.md\`.

The synthesized functions run behind the local gateway, as under \`npm start\`. Between a function and what it asks are
[Toxiproxy](https://github.com/Shopify/toxiproxy), which does things to connections, and a server that changes answers.
\`Error 2001\` stands for a 400 with that \`error\` (README, “Error values”); other failures are the gateway’s own.

- **store**: the list function had connections open when the fault began.
- **key set, no copy**: the authorizer’s first request.
- **key set, copy held**: the token names a key that the copy lacks. Whenever it was refused, a token of a known key came
  in right after, by the copy. An authorizer that could not refresh its copy tries again after 5 s.

No function ran into its timeout or had to be started again. The last column is the time from the end of the fault to the
first good answer, and the number of the request that got it; for held copies they are sent every quarter of a second.

`;

const inSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;

const row = ({ side, fault, status, answer, seconds, recovery }: Observation): string =>
  `| ${side} | ${fault} | ${String(status)} | ${answer} | ${inSeconds(seconds)} | ${inSeconds(recovery.seconds)}, request ${String(recovery.request)} |`;

/** Renders the observations as the document at `file`. */
export const faultsDocument = async (observations: readonly Observation[], file: string): Promise<string> =>
  format(
    `${introduction}| side | fault | status | answer | answered after | good again after |
| --- | --- | --- | --- | --- | --- |
${observations.map(row).join('\n')}\n`,
    { ...(await resolveConfig(file)), filepath: file },
  );

/** The rows of a document without their times. */
export const outcomes = (document: string): readonly string[] =>
  document.split('\n').flatMap((line) => {
    const [, ...cells] = line.split('|').map((cell) => cell.trim());
    return cells.length === 0 ? [] : [cells.slice(0, 4).join(' | ')];
  });

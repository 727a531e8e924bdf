import { format, resolveConfig } from 'prettier';

/** What was observed with one fault. */
export interface Observation {
  readonly side: string;
  readonly fault: string;
  readonly status: number;
  /** A summary of the body. */
  readonly response: string;
  /** The longest time to a response while the fault lasted. */
  readonly seconds: number;
  /** The time from the end of the fault to the first good response, and the number of the request that got it. */
  readonly recovery: { readonly seconds: number; readonly request: number };
}

const introduction = `# Faults

What a caller gets while the store or the issuer’s key set fails. The suite \`faults\` writes this page
(\`npm run test:external -- faults\`) and fails when it sees another status or response. The times are those of the run that
wrote the page; those of the last run are in \`test-results/external/faults.md\`.

The synthesized functions run behind the local gateway, as with \`npm start\`. Between a function and the server that it calls
there are [Toxiproxy](https://github.com/Shopify/toxiproxy), which disturbs connections, and a server that changes responses.
\`Error 2001\` stands for a 400 with that \`error\` ([The contract](contract.md#failures)); the other failures are the gateway’s own.

- **store**: the list function has open connections to the store when the fault begins.
- **store, first request**: the function is initialized while the fault lasts, so its warm-up fails or is late too.
- **key set, no copy**: the same for an authorizer.
- **key set, copy held**: the token’s key is not in the authorizer’s copy of the key set, which is older than 5 s. Meanwhile,
  a token with a known key is accepted.

A 500 means that the authorizer cannot decide. The first request after one second fetches the key set again. The gateway does
not keep this response, as it would a 403.

No function exceeds its timeout or crashes; the caller would get a 500 then, too. The last column is the time from the end
of the fault to the first good response, and the number of the request that got it; there are four requests per second.

`;

const inSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;

const row = ({ side, fault, status, response, seconds, recovery }: Observation): string =>
  `| ${side} | ${fault} | ${String(status)} | ${response} | ${inSeconds(seconds)} | ${inSeconds(recovery.seconds)}, request ${String(recovery.request)} |`;

/** Renders the observations as the document at `file`. */
export const faultsDocument = async (observations: readonly Observation[], file: string): Promise<string> =>
  format(
    `${introduction}| place | fault | status | response | longest time | good again after |
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

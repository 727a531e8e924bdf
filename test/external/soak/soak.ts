import type { Measurement } from './measurement.ts';

/** What is put under load. */
export interface Target {
  /** Sends a request and checks its response. */
  readonly send: (index: number) => Promise<void>;
  readonly measure: () => Promise<Measurement>;
}

/** How much load. */
export interface Load {
  readonly requests: number;
  /** How many requests are sent at once. */
  readonly callers: number;
}

/** What a target held during a soak: a measurement after each of its parts. */
export interface Soak extends Load {
  readonly seconds: number;
  readonly parts: readonly Measurement[];
}

const partCount = 50;

/**
 * Sends requests, and measures between the parts of them, when no request is under way.
 * @throws what `send` throws
 */
export const soak = async ({ send, measure }: Target, { requests, callers }: Load): Promise<Soak> => {
  const start = performance.now();
  const parts: Measurement[] = [];
  let sent = 0;
  for (let part = 1; part <= partCount; part += 1) {
    const end = Math.round((part * requests) / partCount);
    const call = async (): Promise<void> => {
      while (sent < end) await send(sent++);
    };
    await Promise.all(Array.from({ length: callers }, call));
    parts.push(await measure());
  }
  return { requests, callers, seconds: (performance.now() - start) / 1000, parts };
};

type Measure = keyof Measurement;

/** The median after the first tenth (of the second tenth), and of the last tenth. */
export const medians = ({ parts }: Soak, measure: Measure): readonly [number, number] => [
  median(parts.slice(partCount * 0.1, partCount * 0.2), measure),
  median(parts.slice(-partCount * 0.1), measure),
];

/** The most after the first tenth. */
export const most = ({ parts }: Soak, measure: Measure): number =>
  Math.max(...parts.slice(partCount * 0.1).map((each) => each[measure]));

const median = (parts: readonly Measurement[], measure: Measure): number =>
  parts.map((each) => each[measure]).sort((a, b) => a - b)[Math.floor(parts.length / 2)] ?? NaN;

/** The most that a measure may be: by how much sizes may grow after the first tenth, and how many there may be of the rest. */
export type Bounds = Readonly<Partial<Record<Measure, number>>>;

const sizes: readonly Measure[] = ['rss', 'rssWithGarbage', 'heap'];

/** The measures that exceeded their bounds, with what was measured. Empty: the target is flat. */
export const excesses = (run: Soak, bounds: Bounds): readonly string[] =>
  measures.flatMap((measure) => {
    const [first, last] = medians(run, measure);
    const value = sizes.includes(measure) ? last - first : most(run, measure);
    const bound = bounds[measure];
    return bound === undefined || value <= bound
      ? []
      : [`${measure}: ${String(value)} exceeds ${String(bound)}`];
  });

const measures = ['rss', 'rssWithGarbage', 'heap', 'sockets', 'timers', 'listeners', 'warnings'] as const;

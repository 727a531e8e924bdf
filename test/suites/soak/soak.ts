import type { Measurement } from './process/measurement.ts';

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
  /** How often the target is measured. */
  readonly parts: number;
}

/** What a target held during a soak: a measurement after each of its parts. */
export interface Soak {
  readonly parts: readonly Measurement[];
}

/**
 * Sends requests, and measures between the parts of them, when no request is under way.
 * @throws what `send` throws
 */
export const soak = async (
  { send, measure }: Target,
  { requests, callers, parts: count }: Load,
): Promise<Soak> => {
  const parts: Measurement[] = [];
  let sent = 0;
  for (let part = 1; part <= count; part += 1) {
    const end = Math.round((part * requests) / count);
    const call = async (): Promise<void> => {
      while (sent < end) await send(sent++);
    };
    await Promise.all(Array.from({ length: callers }, call));
    parts.push(await measure());
  }
  return { parts };
};

type Measure = keyof Measurement;

/** The medians of the second tenth and of the last one. */
export const medians = ({ parts }: Soak, measure: Measure): readonly [number, number] => {
  const tenth = parts.length / 10;
  return [median(parts.slice(tenth, 2 * tenth), measure), median(parts.slice(-tenth), measure)];
};

/** The most after the first tenth. */
export const most = ({ parts }: Soak, measure: Measure): number =>
  Math.max(...parts.slice(parts.length / 10).map((each) => each[measure]));

const median = (parts: readonly Measurement[], measure: Measure): number =>
  parts.map((each) => each[measure]).sort((a, b) => a - b)[Math.floor(parts.length / 2)] ?? NaN;

/** The most that a measure may be: by how much sizes may grow after the first tenth, and how many there may be of the rest. */
export type Bounds = Readonly<Partial<Record<Measure, number>>>;

const sizes: readonly Measure[] = ['rss', 'heap'];

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

const measures = ['rss', 'heap', 'sockets', 'timers', 'listeners', 'warnings'] as const;

/** What docs/scale.md calculates with; times are milliseconds. */
export interface Inputs {
  readonly list: Timed & { readonly largeMs: number; readonly deadlineMs: number };
  readonly authorizer: Timed & { readonly cacheSeconds: number };
  readonly throttle: number;
  readonly invocationsPerColdStart: number;
  readonly principals: number;
  /** Of one caller. */
  readonly requestsPerMinute: number;
  /** Bytes of the parts of a stored plant. */
  readonly stored: {
    readonly name: number;
    readonly id: number;
    readonly tag: number;
    readonly principal: number;
  };
  readonly headerBytes: number;
  /** The size of a compressed body, as a share of the whole. */
  readonly compression: number;
  readonly accessLogBytes: number;
  readonly lambdaLogBytes: number;
  readonly hoursPerMonth: number;
  /** Of the caches in section 5. */
  readonly keptSeconds: number;
  readonly chunkBytes: number;
}

/** Of one function. */
export interface Timed {
  readonly memoryMb: number;
  readonly warmMs: number;
  /** The mean of a warm request, each rounded up to a whole millisecond. */
  readonly billedMs: number;
  /** Start-up and the first request. */
  readonly coldMs: number;
}

const sectionOne = /^## 1\. .*?(?=^## 2\. )/ms;

/**
 * Reads the tables of section 1.
 * @throws {Error} if an input is missing
 */
export const readInputs = (document: string): Inputs => {
  const [section = ''] = sectionOne.exec(document) ?? [];
  const rows = new Map(
    [...section.matchAll(/^\| ([^|]+?) +\| (.*) \|$/gm)].map(([, name = '', row = '']) => [name, row]),
  );
  const read = (name: string, pattern: RegExp): number => {
    const value = Number(pattern.exec(rows.get(name) ?? '')?.[1]?.replaceAll(',', '') ?? NaN);
    if (Number.isNaN(value))
      throw new Error(`docs/scale.md, section 1: “${name}” has no ${String(pattern)}.`);
    return value;
  };
  return {
    list: {
      memoryMb: read('list function', /([\d,]+) MB/),
      deadlineMs: 1000 * read('list function', /gives up at ([\d.]+) s/),
      warmMs: read('A1', /([\d.]+) ms/),
      billedMs: read('A1', /billed ([\d.]+) ms/),
      largeMs: read('A2', /([\d.]+) ms/),
      coldMs: read('A4', /list function ([\d.]+) ms/),
    },
    authorizer: {
      memoryMb: read('authorizer', /([\d,]+) MB/),
      cacheSeconds: read('authorizer', /cached for ([\d,]+) s/),
      warmMs: read('A3', /([\d.]+) ms/),
      billedMs: read('A3', /billed ([\d.]+) ms/),
      coldMs: read('A4', /authorizer ([\d.]+) ms/),
    },
    throttle: read('stage throttle', /([\d,]+) requests per second/),
    invocationsPerColdStart: read('A4', /1 in ([\d,]+) invocations/),
    principals: read('A5', /(\d+) principals/),
    requestsPerMinute: read('A6', /([\d.]+) requests per minute/),
    stored: {
      name: read('A7', /name (\d+)/),
      id: read('A7', /id (\d+)/),
      tag: read('A7', /tag (\d+)/),
      principal: read('A7', /principal (\d+)/),
    },
    headerBytes: read('A8', /([\d,]+) bytes/),
    compression: read('A9', /([\d,]+) bytes/) / read('A9', /of ([\d,]+)/),
    accessLogBytes: read('A10', /access ([\d,]+) bytes/),
    lambdaLogBytes: read('A10', /report ([\d,]+)/),
    hoursPerMonth: read('A11', /([\d,]+) h/),
    keptSeconds: read('A12', /kept for ([\d.]+) s/),
    chunkBytes: read('A12', /([\d,]+) bytes/),
  };
};

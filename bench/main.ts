import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { measureColdStarts, smallList } from './cold-start.ts';
import { largeList, manyPrincipals, measureLargeList, measureLoads } from './list-cost.ts';
import { drawPlots } from './reporting/plots.ts';
import { printResults } from './reporting/print-results.ts';
import { type Results, resultsSchema } from './results.ts';
import { measureMemory, measureShares } from './share/measure.ts';
import { defaultSizes, type MemorySizes, parseSizes } from './share/memory-sizes.ts';
import { writeShareTables } from './reporting/tables.ts';
import { checkSameResponses, UnfairComparison } from './same-response.ts';
import { type Harness, startHarness } from './harness.ts';
import { coldStartResults, largeResults, scaleResults } from './reporting/summary.ts';

type Part = 'cold' | 'scale' | 'share';

interface Options {
  readonly rounds: number;
  readonly only?: readonly Part[];
  readonly sizes: MemorySizes;
  readonly out?: string;
}

/** The benchmark cannot run. The message is one sentence for the person who started it. */
class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

const committedResults = fileURLToPath(new URL('results.json', import.meta.url));

/** Fewer rounds suffice: the loads are many, and their medians vary less than those of cold starts. */
const roundsOfLoads = (rounds: number): number => Math.ceil(rounds / 4);

const run = async ({ rounds, only, sizes, out }: Options): Promise<void> => {
  const file = out === undefined ? committedResults : resolve(process.env['INIT_CWD'] ?? '', out);
  checkMachine(file);
  console.error('Bundling the variants …');
  const harness = await startHarness();
  console.error('Checking that all variants give the same responses …');
  await checkSameResponses(harness, [smallList, largeList, manyPrincipals, severalPages]);

  const isWanted = (part: Part): boolean => only?.includes(part) ?? true;
  const none = {
    list: {},
    authorizer: {},
    large: {},
    scale: [],
    growth: [],
    share: { list: {}, authorizer: {}, pair: {} },
    memoryRuns: [],
  };
  const results: Results = {
    machine: machine(),
    node: process.version,
    date: new Date().toISOString(),
    rounds,
    ...none,
    ...(isWanted('cold') && (await coldStarts(harness, rounds))),
    // Before the large lists, because a larger process starts others more slowly.
    ...(isWanted('share') && (await share(harness, sizes, rounds))),
    ...(isWanted('scale') && (await scale(harness, rounds))),
  };
  await harness.end();

  printResults(results);
  // The committed file and the plots must come from a complete run.
  if ((only !== undefined || sizes !== defaultSizes) && out === undefined) return;
  const written = out === undefined && !isMeasured(results.share) ? withShareOf(file, results) : results;
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
  console.error(`Wrote ${relative('', file)}.`);
  if (out !== undefined) return;
  await drawPlots(written);
  writeShareTables(written);
};

const isMeasured = ({ pair }: Results['share']): boolean => Object.keys(pair).length > 0;

/** Where the share cannot be measured, the file keeps the figures that it has. */
const withShareOf = (file: string, results: Results): Results => {
  const { share, memoryRuns } = resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { ...results, share, memoryRuns };
};

/** A principal's list that DynamoDB returns in several pages of 1 MB. */
const severalPages = { plants: 12_000, principals: 1 };

const coldStarts = async (
  harness: Harness,
  rounds: number,
): Promise<Pick<Results, 'list' | 'authorizer'>> => {
  console.error(`Cold starts, ${String(rounds)} rounds …`);
  const list = await measureColdStarts(harness, 'list', rounds);
  const authorizer = await measureColdStarts(harness, 'authorizer', rounds);
  return {
    list: coldStartResults(list, harness.candidates.list, 'list'),
    authorizer: coldStartResults(authorizer, harness.candidates.authorizer, 'authorizer'),
  };
};

const scale = async (
  harness: Harness,
  rounds: number,
): Promise<Pick<Results, 'large' | 'scale' | 'growth'>> => {
  console.error(`A large list, ${String(rounds)} rounds …`);
  const large = await measureLargeList(harness, rounds);
  console.error(`Lists by size, ${String(roundsOfLoads(rounds))} rounds …`);
  const loads = await measureLoads(harness, roundsOfLoads(rounds));
  return { large: largeResults(large), ...scaleResults(loads) };
};

const share = async (
  harness: Harness,
  sizes: MemorySizes,
  rounds: number,
): Promise<Partial<Pick<Results, 'share' | 'memoryRuns'>>> => {
  console.error(`At Lambda’s share of a processor, ${String(rounds)} rounds …`);
  const measured = await measureShares(harness, sizes, rounds);
  if (measured !== undefined)
    return { share: measured, memoryRuns: [...(await measureMemory(harness, sizes, Math.ceil(rounds / 2)))] };
  console.error('The part share is skipped, because this user cannot make control groups.');
  return {};
};

const checkMachine = (file: string): void => {
  if (!(Number.parseInt(process.versions.node) >= 24)) {
    throw new CannotRun('Run it with Node 24, as `npm run bench` does.');
  }
  if (!existsSync('/proc/self/task')) {
    throw new CannotRun('Run it on Linux: it reads processor time and memory from /proc.');
  }
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch {
    throw new CannotRun(`${file} cannot be written.`);
  }
};

const machine = (): string => {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `${String(cpus().length)} × ${cpu?.model ?? 'unknown processor'}, ${String(memoryGb)} GB, ${type()} ${release()}`;
};

const parseMemorySizes = (text: string): MemorySizes => {
  const sizes = parseSizes(text);
  if (sizes === undefined) {
    throw new InvalidArgumentError('Lambda has memory sizes of 128 to 10240 whole MB.');
  }
  return sizes;
};

const parseRounds = (text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const command = new Command('npm run bench --')
  .description('Compares cold starts and lists of the Plant Store Service with its alternatives.')
  .addOption(
    new Option('--rounds <number>', 'number of measurements of each variant')
      .default(20)
      .argParser(parseRounds),
  )
  .addOption(new Option('--only <parts...>', 'measure some parts').choices(['cold', 'scale', 'share']))
  .addOption(
    new Option('--sizes <MB>', 'memory sizes of the part share, separated by commas')
      .default(defaultSizes, '256,512,1024,1769, and 128 for the authorizer')
      .argParser(parseMemorySizes),
  )
  .option('--out <file>', 'file for the results (default: bench/results.json, only for a complete run)')
  .action(async (options: Options) => {
    try {
      await run(options);
    } catch (error) {
      if (!(error instanceof CannotRun || error instanceof UnfairComparison)) throw error;
      console.error(error.message);
      process.exit(1);
    }
  });
await command.parseAsync();

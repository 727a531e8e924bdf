import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { measureColdStarts } from './cold-start.ts';
import { startHarness } from './harness.ts';
import { measureLargeList, measureLoads, measureShared } from './list-cost.ts';
import { printResults } from './reporting/print-results.ts';
import { writeReport } from './reporting/write-report.ts';
import type { Results } from './results.ts';
import { checkSameResponses, UnfairComparison } from './same-response.ts';
import { measureMemory, measureShares } from './share/measure.ts';
import { defaultSizes, type MemorySizes, parseSizes } from './share/memory-sizes.ts';

const parts = ['cold', 'scale', 'share'] as const;

interface Options {
  readonly rounds: number;
  readonly only: readonly (typeof parts)[number][];
  readonly sizes: MemorySizes;
  readonly out?: string;
}

const committedResults = fileURLToPath(new URL('results.json', import.meta.url));

const run = async ({ rounds, only, sizes, out }: Options): Promise<void> => {
  const file = out === undefined ? committedResults : resolve(process.env['INIT_CWD'] ?? '', out);
  checkMachine(file);
  console.error('Bundling the variants …');
  const harness = await startHarness();
  console.error('Checking that all variants give the same responses …');
  await checkSameResponses(harness);

  const results: Results = {
    machine: machine(),
    node: process.version,
    date: new Date().toISOString(),
    rounds,
    list: {},
    authorizer: {},
    large: {},
    scale: [],
    growth: [],
    shared: [],
    share: { list: {}, authorizer: {}, pair: {} },
    memoryRuns: [],
  };
  if (only.includes('cold')) {
    console.error(`Cold starts, ${String(rounds)} rounds …`);
    results.list = await measureColdStarts(harness, 'list', rounds);
    results.authorizer = await measureColdStarts(harness, 'authorizer', rounds);
  }
  // Before the large lists, because a larger process starts others more slowly.
  if (only.includes('share')) {
    console.error(`At Lambda’s share of a processor, ${String(rounds)} rounds …`);
    const share = await measureShares(harness, sizes, rounds);
    if (share === undefined) {
      console.error('The part share is skipped, because this user cannot make control groups.');
    } else {
      results.share = share;
      results.memoryRuns = await measureMemory(harness, sizes, Math.ceil(rounds / 2));
    }
  }
  if (only.includes('scale')) {
    console.error(`A large list, ${String(rounds)} rounds …`);
    results.large = await measureLargeList(harness, rounds);
    // Fewer rounds suffice: the loads are many, and their medians vary less than those of cold starts.
    const roundsOfLoads = Math.ceil(rounds / 4);
    console.error(`Lists by size, ${String(roundsOfLoads)} rounds …`);
    ({ scale: results.scale, growth: results.growth } = await measureLoads(harness, roundsOfLoads));
    results.shared = await measureShared(harness, roundsOfLoads);
  }

  printResults(results);
  // The committed file and the plots must come from a complete run.
  const isComplete = only === parts && sizes === defaultSizes && results.memoryRuns.length > 0;
  if (!isComplete && out === undefined) return;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  console.error(`Wrote ${relative('', file)}.`);
  if (out === undefined) await writeReport(results);
};

const checkMachine = (file: string): void => {
  if (Number.parseInt(process.versions.node) < 24) {
    command.error('Run it with Node 24, as `npm run bench` does.');
  }
  if (!existsSync('/proc/self/task')) {
    command.error('Run it on Linux: it reads processor time and memory from /proc.');
  }
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch {
    command.error(`${file} cannot be written.`);
  }
};

const machine = (): string => {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `${String(cpus().length)} × ${cpu?.model ?? 'unknown processor'}, ${String(memoryGb)} GB, ${type()} ${release()}`;
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
  .addOption(
    new Option('--only <parts...>', 'measure some parts').choices(parts).default(parts, 'all of them'),
  )
  .addOption(
    new Option('--sizes <MB>', 'memory sizes of the part share, separated by commas')
      .default(defaultSizes, '256,512,1024,1769, and 128 for the authorizer')
      .argParser(parseSizes),
  )
  .option('--out <file>', 'file for the results (default: bench/results.json, only for a complete run)')
  .action(async (options: Options) => {
    try {
      await run(options);
    } catch (error) {
      if (!(error instanceof UnfairComparison)) throw error;
      command.error(error.message);
    }
  });
await command.parseAsync();

import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { measureColdStarts } from './cold-start.ts';
import { startHarness } from './harness.ts';
import { measureLists } from './list-size.ts';
import { writeReport } from './reporting/report.ts';
import { tables } from './reporting/tables.ts';
import type { Results } from './results.ts';
import { checkSameResponses, UnfairComparison } from './same-response.ts';
import { canLimitCpu } from './share/cpu-share.ts';
import { measureMemory, measureShares } from './share/measure.ts';
import { choices, type MemorySizes, parseSizes } from './share/memory-sizes.ts';

const parts = ['cold', 'share', 'lists'] as const;

interface Options {
  readonly rounds: number;
  readonly only: readonly (typeof parts)[number][];
  readonly sizes?: MemorySizes;
  readonly out?: string;
}

const committedResults = fileURLToPath(new URL('results.json', import.meta.url));

const run = async ({ rounds, only, sizes, out }: Options): Promise<void> => {
  const file = out === undefined ? committedResults : resolve(process.env['INIT_CWD'] ?? '', out);
  checkWritable(file);
  console.error('Bundling the variants…');
  const harness = await startHarness();
  console.error('Checking that all variants give the same responses…');
  await checkSameResponses(harness);

  const results: Results = {
    machine: machine(),
    node: process.version,
    date: new Date().toISOString(),
    rounds,
    list: {},
    authorizer: {},
    share: { list: {}, authorizer: {} },
    memoryRuns: [],
    lists: [],
  };
  if (only.includes('cold')) {
    console.error(`Cold starts, ${String(rounds)} rounds…`);
    results.list = await measureColdStarts(harness, 'list', rounds);
    results.authorizer = await measureColdStarts(harness, 'authorizer', rounds);
  }
  if (only.includes('share') && !canLimitCpu()) {
    console.error('The part share is skipped, because this user cannot make control groups.');
  } else if (only.includes('share')) {
    const { list, authorizer } = harness.product;
    const deployed = { list: [list.memoryMb], authorizer: [authorizer.memoryMb] };
    console.error(`At Lambda’s share of a processor, ${String(rounds)} rounds…`);
    results.share = await measureShares(harness, sizes ?? deployed, rounds);
    console.error('The memory sizes…');
    results.memoryRuns = await measureMemory(harness, sizes ?? choices, Math.ceil(rounds / 2));
  }
  // Last, because a larger process starts others more slowly.
  if (only.includes('lists')) {
    // Fewer rounds suffice: there are many lists, and their medians vary less than those of cold starts.
    const roundsOfLists = Math.ceil(rounds / 4);
    console.error(`Lists by size, ${String(roundsOfLists)} rounds…`);
    results.lists = await measureLists(harness, roundsOfLists);
  }

  console.log(tables(results).join('\n'));
  // The published tables and plots are those of a complete run.
  const isComplete = only === parts && sizes === undefined && results.memoryRuns.length > 0;
  if (!isComplete && out === undefined) return;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  console.error(`Wrote ${relative('', file)}.`);
  if (out === undefined) await writeReport(results);
};

const checkWritable = (file: string): void => {
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch {
    command.error(`${file} cannot be written.`);
  }
};

const machine = (): string => {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `${String(cpus().length)} × ${model}, ${String(memoryGb)} GB, ${type()} ${release()}`;
};

const parseRounds = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const command = new Command('npm run bench --')
  .description('Compares cold starts and lists of the Plant Store Service with its alternatives.')
  .addOption(
    new Option('--rounds <number>', 'number of measurements of each variant')
      .default(12)
      .argParser(parseRounds),
  )
  .addOption(
    new Option('--only <parts...>', 'measure only these parts').choices(parts).default(parts, 'all of them'),
  )
  .addOption(
    new Option(
      '--sizes <MB>',
      'memory sizes, separated by commas (default: the deployed ones; for the choice of memory, 128 to 1769)',
    ).argParser(parseSizes),
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

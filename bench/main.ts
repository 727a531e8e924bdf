import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { startBackend } from './backend/backend.ts';
import { callerOf, smallList } from './backend/plants.ts';
import { authorizerEvents, compareResponses, listEvents } from './compare-responses.ts';
import { cpuShareOf } from './lambda/cpu-share.ts';
import { authorizerEvent, listEvent } from './lambda/events.ts';
import { startEnvironment } from './lambda/execution-environment.ts';
import { measure, sampleAuthorizer, sampleList, type Start } from './measure.ts';
import { partsFile, profile } from './profile.ts';
import { publish } from './publish.ts';
import { resultsSchema } from './results.ts';
import { tables } from './tables.ts';
import { assembly, bundleVariants, type Comparison } from './variants.ts';

interface Options {
  readonly rounds: number;
  readonly beside: readonly string[];
  readonly out?: string;
  readonly profile?: true;
}

const run = async ({ rounds, beside, out, profile: profiled }: Options): Promise<void> => {
  console.error('Bundling the variants…');
  const { list, authorizer } = bundleVariants(beside);
  const backend = await startBackend(join(assembly, 'certificate.pem'));
  const shares = { list: cpuShareOf(list.memoryMb), authorizer: cpuShareOf(authorizer.memoryMb) };
  const processor = shares.list === undefined ? 'whole' : 'share';
  if (processor === 'whole') {
    console.error(
      'This user cannot make control groups, so requests have a whole processor, and nothing is published. ' +
        'Run as root to publish.',
    );
  }
  const client = fileURLToPath(new URL('../test/suites/systems/runtime-client.sh', import.meta.url));
  const runtimeClient = execFileSync(client, { encoding: 'utf8' }).trim();
  const shared = { backend, runtimeClient, ...(profiled && { partsFile }) };
  const startList: Start = (variant) =>
    startEnvironment(variant, { ...shared, memoryMb: list.memoryMb, limitCpu: shares.list });
  const startAuthorizer: Start = (variant) =>
    startEnvironment(variant, { ...shared, memoryMb: authorizer.memoryMb, limitCpu: shares.authorizer });

  const token = backend.tokenOf(callerOf(smallList));
  if (profiled) {
    const parts = (comparison: Comparison, start: Start, event: string): Promise<readonly string[]> =>
      profile(comparison.variants[0], rounds, start, event);
    const listLines = await parts(list, startList, listEvent({ caller: callerOf(smallList) }));
    console.log(['Milliseconds of the list function’s cold start:', ...listLines].join('\n'));
    const authorizerLines = await parts(authorizer, startAuthorizer, authorizerEvent(token));
    console.log(['\nMilliseconds of the authorizer’s cold start:', ...authorizerLines].join('\n'));
    return;
  }

  console.error('Checking that all variants give the same responses…');
  await compareResponses(list.variants, startList, listEvents);
  await compareResponses(authorizer.variants, startAuthorizer, authorizerEvents(backend.tokenOf));

  console.error(`Measuring, ${String(rounds)} rounds…`);
  const listFigures = await measure(list.variants, rounds, (variant) => sampleList(startList, variant));
  const authorizerFigures = await measure(authorizer.variants, rounds, (variant) =>
    sampleAuthorizer(startAuthorizer, variant, token),
  );

  const results = resultsSchema.parse({
    machine: machine(),
    node: process.version,
    date: new Date().toISOString(),
    rounds,
    processor,
    list: { memoryMb: list.memoryMb, variants: listFigures },
    authorizer: { memoryMb: authorizer.memoryMb, variants: authorizerFigures },
  });
  console.log(tables(results).join('\n'));
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(results, null, 2)}\n`);
  else if (beside.length === 0 && processor === 'share') await publish(results);
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

/** `npm run` changes the working directory to the project's. */
const pathFrom = (text: string): string => resolve(process.env['INIT_CWD'] ?? '', text);

const parseCheckout = (text: string, others: readonly string[]): readonly string[] => {
  const folder = pathFrom(text);
  if (existsSync(join(folder, 'infra/app.ts'))) return [...others, folder];
  throw new InvalidArgumentError('It must be the folder of a checkout of this project.');
};

await new Command('npm run bench --')
  .description(
    'Compares the functions of the Plant Store Service with alternatives, and publishes the figures.',
  )
  .option('--rounds <number>', 'measurements of each variant', parseRounds, 12)
  .option('--beside <checkout>', 'also measure the functions of another checkout', parseCheckout, [])
  .option('--out <file>', 'write the results to this file, and publish nothing', pathFrom)
  .option('--profile', 'only print how long each part of the product’s cold starts takes')
  .action(run)
  .parseAsync();

// `npm run bench:principals`: the list function for a caller with 101 principals, each with 1 MB of plants.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { App } from 'aws-cdk-lib';
import { z } from 'zod';
import { PlantStoreStack } from '../infra/plant-store-stack.ts';
import { stages } from '../infra/stages.ts';
import { readStack } from '../local/stack/read-stack.ts';
import { credentials, heapArguments, loopback, memoryMb, region } from './environment.ts';
import { caller, nameOrder, type TableShape } from './principals/tables.ts';
import { cpuMsOf, peakRssMbOf } from './process-figures.ts';
import { type CpuShare, makeCpuShare, vCpusOf } from './share/cpu-share.ts';

interface Measured {
  readonly outcome: string;
  readonly seconds: number;
  /** Seconds of processor time of a request. */
  readonly cpuSeconds: number;
  readonly queries: number;
  readonly peakMb: number;
}

/** The function's timeout in Lambda. */
const timeoutMs = 10_000;
/** In one process, so that memory that stays would show. */
const requests = 2;

const sizes = [
  { itemBytes: 150, plants: 7000 },
  { itemBytes: 56, plants: 18_700 },
  // 20 MB of JSON, which fits into a response when compressed.
  { itemBytes: 56, plants: 8300 },
] as const;
const codings = ['identity', 'br'] as const;

const functionFile = fileURLToPath(new URL('principals/function.cjs', import.meta.url));

const bundle = (outdir: string): { readonly codeFolder: string; readonly handler: string } => {
  const stage = stages.find(({ name }) => name === 'prod');
  if (stage === undefined) throw new Error('infra/stages.ts has no stage prod.');
  const app = new App({
    outdir,
    analyticsReporting: false,
    context: { 'aws:cdk:enable-asset-metadata': true },
  });
  const { stackName } = new PlantStoreStack(app, 'PlantStore', { stage, commit: 'bench' });
  app.synth();
  const list = readStack(outdir, stackName).functions.find(({ id }) => id.startsWith('ListPlants'));
  if (list === undefined) throw new Error('The stack has no list function.');
  return list;
};

const startStore = async (
  shape: TableShape,
): Promise<{ url: string; queries: () => Promise<number>; end: () => Promise<unknown> }> => {
  const worker = new Worker(new URL('principals/store-worker.ts', import.meta.url), { workerData: shape });
  const message = async (): Promise<unknown> => {
    const messages: readonly unknown[] = await once(worker, 'message');
    return messages[0];
  };
  const port = z.int().parse(await message());
  return {
    url: `http://${loopback}:${String(port)}`,
    queries: async () => {
      const counted = message();
      worker.postMessage('count');
      return z.object({ queries: z.int() }).parse(await counted).queries;
    },
    end: () => worker.terminate(),
  };
};

const resultSchema = z.object({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  isBase64Encoded: z.boolean().default(false),
});

const outcomeOf = (result: unknown): string => {
  const { statusCode, headers, body, isBase64Encoded } = resultSchema.parse(
    JSON.parse(z.string().parse(result)),
  );
  if (statusCode !== 200)
    return `error ${String(z.object({ error: z.int() }).parse(JSON.parse(body)).error)}`;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[headers['Content-Encoding'] ?? ''];
  const plants = z
    .array(z.unknown())
    .parse(JSON.parse((decode === undefined ? bytes : decode(bytes)).toString()));
  return `${String(plants.length)} plants`;
};

const measure = async (
  { codeFolder, handler }: ReturnType<typeof bundle>,
  shape: TableShape,
  coding: string,
  share: CpuShare | undefined,
): Promise<Measured> => {
  const store = await startStore(shape);
  const child = fork(functionFile, [codeFolder, handler], {
    execArgv: [...heapArguments(memoryMb)],
    env: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: store.url,
      TABLE_NAME: 'plants',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then((): never => {
    throw new Error('The function’s process ended.');
  });
  const answer = (): Promise<readonly unknown[]> => Promise.race([once(child, 'message'), ended]);
  await answer();
  const { pid = 0 } = child;
  share?.add(pid);
  const event = {
    rawQueryString: '',
    headers: { 'accept-encoding': coding },
    requestContext: { authorizer: { lambda: { ...caller, expiresAt: Date.now() / 1000 + 3600 } } },
  };
  const outcomes = new Set<string>();
  const cpuBeforeMs = cpuMsOf(pid);
  let seconds = 0;
  for (let count = 0; count < requests; count += 1) {
    const started = performance.now();
    child.send({ event, timeoutMs });
    const [result] = await answer();
    seconds = Math.max(seconds, (performance.now() - started) / 1000);
    outcomes.add(outcomeOf(result));
  }
  const peakMb = peakRssMbOf(pid);
  const cpuSeconds = (cpuMsOf(pid) - cpuBeforeMs) / 1000 / requests;
  const queries = (await store.queries()) / requests;
  child.kill('SIGKILL');
  await ended.catch(() => undefined);
  await store.end();
  return { outcome: [...outcomes].join(', '), seconds, cpuSeconds, queries, peakMb };
};

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
// So that the control group is removed at the end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const share = makeCpuShare(memoryMb);
try {
  const list = bundle(folder);
  if (share === undefined) {
    console.error(
      'This user cannot make a control group, so the part with Lambda’s share of a processor is skipped.',
    );
  }
  console.log(
    row(['plants', 'bytes each', 'names', 'coding', 'vCPU', 'result', 's', 'CPU s', 'Queries', 'MB']),
  );
  console.log(row(['---', '---', '---', '---', '---', '---', '---', '---', '---', '---']));
  for (const size of sizes) {
    for (const names of nameOrder.options) {
      for (const coding of codings) {
        for (const limit of share === undefined ? [undefined] : [undefined, share]) {
          const { outcome, seconds, cpuSeconds, queries, peakMb } = await measure(
            list,
            { ...size, names },
            coding,
            limit,
          );
          const cpu = limit === undefined ? 'free' : vCpusOf(memoryMb).toFixed(2);
          console.log(
            row([
              size.plants,
              size.itemBytes,
              names,
              coding,
              cpu,
              outcome,
              seconds.toFixed(1),
              cpuSeconds.toFixed(1),
              Math.round(queries),
              Math.round(peakMb),
            ]),
          );
        }
      }
    }
  }
} finally {
  share?.end();
  rmSync(folder, { recursive: true });
}

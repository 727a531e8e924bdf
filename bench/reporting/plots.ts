import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { sizes } from '../list-size.ts';
import { type MemoryCost, memoryCosts } from '../share/memory-choice.ts';
import type { ListCost, Results } from '../results.ts';
import { type Task, type Variant, variants } from '../variants.ts';

const folder = fileURLToPath(new URL('../plots', import.meta.url));

/** Draws the plots in bench/README.md. */
export const drawPlots = async (results: Results): Promise<void> => {
  for (const [name, spec] of Object.entries({
    'cold-start': coldStartPlot(results),
    'list-size': listSizePlot(results),
    memory: memoryPlot(results),
  })) {
    const view = new View(parse(compile(spec, { config }).spec), { renderer: 'none' });
    writeFileSync(join(folder, `${name}.svg`), `${await view.toSVG()}\n`);
    view.finalize();
  }
};

const config = {
  background: 'white',
  padding: 12,
  font: 'sans-serif',
  title: { anchor: 'start', offset: 12 },
  legend: { labelLimit: 0 },
} as const;

const kinds: Readonly<Record<Variant['kind'], { readonly title: string; readonly color: string }>> = {
  product: { title: 'this service', color: '#2e7d32' },
  alternative: { title: 'an alternative with the same responses', color: '#78909c' },
  'lower bound': { title: 'a lower bound, not a service', color: '#e0d4c0' },
};

const colors = {
  domain: Object.values(kinds).map(({ title }) => title),
  range: Object.values(kinds).map(({ color }) => color),
};

/** Bars of medians, with a line for the middle half of the rounds. */
const coldStartPlot = ({ list, authorizer, rounds, machine }: Results): TopLevelSpec => ({
  title: {
    text: 'Cold start: from the start of the process to the first response',
    subtitle: `Median and middle half of ${String(rounds)} rounds; ${machine}`,
  },
  vconcat: [
    coldStartPanel('list', 'List function, 20 plants of 3 principals', list),
    coldStartPanel('authorizer', 'Authorizer, one RS256 token', authorizer),
  ],
  resolve: { scale: { x: 'shared', y: 'independent' } },
});

type Panel = Extract<TopLevelSpec, { vconcat: unknown }>['vconcat'][number];
type LayerSpec = Extract<Panel, { layer: unknown }>['layer'][number];

const coldStartPanel = (task: Task, title: string, results: Results[Task]): Panel => {
  const kindOf = new Map(variants[task].map(({ name, kind }) => [name, kinds[kind].title]));
  const bars = Object.entries(results)
    .sort(([, a], [, b]) => a.coldMs - b.coldMs)
    .map(([variant, { coldMs, coldRatio, quartiles }]) => ({
      variant,
      kind: kindOf.get(variant),
      coldMs,
      ...quartiles['coldMs'],
      ratio: `× ${coldRatio.toFixed(2)}`,
    }));
  return {
    title: { text: title, fontSize: 11, frame: 'group' },
    width: 560,
    height: { step: 24 },
    data: { values: bars },
    encoding: {
      y: { field: 'variant', type: 'nominal', sort: bars.map(({ variant }) => variant), title: null },
    },
    layer: [
      {
        mark: 'bar',
        encoding: {
          x: { field: 'coldMs', type: 'quantitative', title: 'milliseconds' },
          color: { field: 'kind', type: 'nominal', title: null, scale: colors },
        },
      },
      {
        mark: { type: 'rule', strokeWidth: 2 },
        encoding: { x: { field: 'q1', type: 'quantitative' }, x2: { field: 'q3' } },
      },
      {
        mark: { type: 'text', align: 'left', dx: 6 },
        encoding: { x: { field: 'q3', type: 'quantitative' }, text: { field: 'ratio' } },
      },
    ],
  };
};

/** Lines over the number of plants, one for each number of principals; dashed with compression. */
const listSizePlot = ({ lists, machine }: Results): TopLevelSpec => ({
  title: { text: 'Cost of one list in a warm function', subtitle: `Medians; ${machine}` },
  data: {
    values: lists.map(({ principals, shared, encoding, ...figures }) => ({
      ...figures,
      principals: `${String(principals)}${shared ? ', shared' : ''}`,
      compression: encoding === 'br' ? 'Brotli' : 'none',
    })),
  },
  hconcat: [
    listSizePanel('warmMs', 'time, milliseconds', 'log'),
    listSizePanel('cpuMs', 'processor time, milliseconds', 'log'),
    listSizePanel('rssMb', 'peak memory, MB', 'linear'),
  ],
});

const listSizePanel = (field: keyof ListCost, title: string, scale: 'log' | 'linear'): Panel => ({
  width: 240,
  height: 260,
  encoding: {
    x: {
      field: 'plants',
      type: 'quantitative',
      title: 'plants',
      scale: { type: 'log', nice: false, padding: 10 },
      axis: { values: sizes },
    },
    y: { field, type: 'quantitative', title, scale: { type: scale } },
    color: { field: 'principals', type: 'nominal', sort: ['1', '10', '100', '100, shared'] },
  },
  layer: [
    {
      mark: 'line',
      encoding: {
        strokeDash: { field: 'compression', type: 'nominal', title: 'compression', sort: ['none', 'Brotli'] },
      },
    },
    { mark: { type: 'point', filled: true } },
  ],
});

/** Time and price over the memory size, as AWS Lambda Power Tuning draws them. */
const memoryPlot = ({ memoryRuns, machine }: Results): TopLevelSpec => ({
  title: { text: 'Time and price by memory', subtitle: `Means of a mix of requests; ${machine}` },
  hconcat: [
    memoryPanel('List function, a tenth of the lists large', memoryRuns, 'list'),
    memoryPanel('Authorizer', memoryRuns, 'authorizer'),
  ],
});

const memoryPanel = (title: string, runs: Results['memoryRuns'], task: Task): Panel => ({
  title: { text: title, fontSize: 11, frame: 'group' },
  width: 300,
  height: 220,
  data: { values: memoryCosts(runs, task).map((cost) => ({ ...cost })) },
  encoding: {
    x: { field: 'memoryMb', type: 'ordinal', title: 'memory, MB', axis: { labelAngle: 0 } },
  },
  layer: [
    memoryLine('ms', 'milliseconds', kinds.product.color),
    memoryLine('usdPerMillion', 'US dollars per million requests', '#c62828'),
  ],
  resolve: { scale: { y: 'independent' } },
});

const memoryLine = (field: keyof MemoryCost, title: string, color: string): LayerSpec => ({
  mark: { type: 'line', point: true, color },
  encoding: {
    y: { field, type: 'quantitative', axis: { title, titleColor: color }, scale: { zero: true } },
  },
});

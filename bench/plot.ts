import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Results } from './results.ts';
import { byColdStart } from './tables.ts';
import { productName } from './variants.ts';

/** Draws the cold starts of all variants, as SVG text. */
export const plotColdStarts = async (results: Results): Promise<string> => {
  const axis = { labelLimit: 0 };
  const legend = { orient: 'top', title: null } as const;
  const config = { background: 'white', padding: 12, font: 'sans-serif', axis, legend };
  const view = new View(parse(compile(coldStarts(results), { config }).spec), { renderer: 'none' });
  return await view.toSVG();
};

const coldStarts = ({ list, authorizer, rounds, machine }: Results): TopLevelSpec => ({
  title: {
    text: 'Cold start: from the start of the process to the first response',
    subtitle: `Medians of ${String(rounds)} rounds; ${machine}`,
    anchor: 'start',
    offset: 12,
  },
  vconcat: [
    panel(list, 'List function, 20 plants of 3 principals'),
    panel(authorizer, 'Authorizer, one RS256 token'),
  ],
  resolve: { scale: { x: 'shared', y: 'independent' } },
});

type Panel = Extract<TopLevelSpec, { vconcat: unknown }>['vconcat'][number];

/** A bar for each variant, the fastest first, with a part for each phase. */
const panel = ({ variants }: Results['list' | 'authorizer'], title: string): Panel => {
  const bars = byColdStart(variants);
  return {
    title: { text: title, fontSize: 11, frame: 'group' },
    width: 560,
    height: { step: 24 },
    data: {
      values: bars.flatMap(([variant, { initMs, firstMs }]) => [
        { variant, phase: 'initialization', ms: initMs },
        { variant, phase: 'the first request', ms: firstMs },
      ]),
    },
    mark: 'bar',
    encoding: {
      y: { field: 'variant', type: 'nominal', sort: bars.map(([variant]) => variant), title: null },
      x: { field: 'ms', type: 'quantitative', title: 'milliseconds' },
      color: { field: 'phase', type: 'nominal', scale: { range: ['#2e7d32', '#a5d6a7'] } },
      opacity: { condition: { test: `datum.variant === '${productName}'`, value: 1 }, value: 0.5 },
    },
  };
};

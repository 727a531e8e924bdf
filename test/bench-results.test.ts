import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { resultsSchema } from '../bench/results.ts';
import { chosenMemory, memoryCosts } from '../bench/share/memory-choice.ts';
import { stages } from '../infra/stages.ts';
import { readDocument } from './support/markdown.ts';

const rows = readDocument('bench/README.md').replaceAll(/ +/g, ' ');
const { list, authorizer, large, share } = resultsSchema.parse(
  JSON.parse(readDocument('bench/results.json')),
);

type Figures = Readonly<Record<string, number>>;

describe('the benchmark’s results', () => {
  it('are the ones in its README', () => {
    for (const [variant, { coldRatio, coldMs, cpuMs, bundleBytes }] of [
      ...Object.entries(list),
      ...Object.entries(authorizer),
    ]) {
      const figures = [
        coldRatio.toFixed(2),
        coldMs.toFixed(0),
        cpuMs.toFixed(0),
        (bundleBytes / 1000).toFixed(0),
      ];
      expect(rows).toContain(`| ${variant} | ${figures.join(' | ')} |`);
    }
  });

  it('of imports are the ones in its README', () => {
    const result = z.object({ checkout: z.string(), seconds: z.number(), peakMegabytes: z.number() });
    const { results } = z
      .object({ results: z.array(result) })
      .parse(JSON.parse(readDocument('bench/import-results.json')));
    for (const { checkout, seconds, peakMegabytes } of results)
      expect(rows).toContain(`| ${[checkout, seconds, peakMegabytes].join(' | ')} |`);
    expect(results[0]?.seconds).toBeLessThanOrEqual(results[1]?.seconds ?? 0);
    expect(results[0]?.peakMegabytes).toBeLessThan(350);
  });

  // What they were before the functions warmed up (commit f6d4d6f).
  it.each([
    { of: 'list function', percent: 10, cold: 0.528, cpu: 0.489, results: list },
    { of: 'authorizer', percent: 0, cold: 0.669, cpu: 0.647, results: authorizer },
  ])(
    'show that with a free processor, the warm-up costs the $of $percent % at most',
    ({ percent, cold, cpu, results }) => {
      expect(results['plant-store']?.coldRatio).toBeLessThanOrEqual((1 + percent / 100) * cold);
      expect(results['plant-store']?.cpuRatio).toBeLessThanOrEqual((1 + percent / 100) * cpu);
    },
  );

  it('show that the list function starts faster than every alternative, and close to the hand-written signer', () => {
    const ours = list['plant-store']?.coldMs ?? Infinity;
    expect(list['plant-store']?.coldRatio).toBeLessThanOrEqual(0.6);
    expect(ours).toBeLessThanOrEqual(1.2 * (list['hand-signed']?.coldMs ?? 0));
    for (const [variant, { coldMs }] of Object.entries(list)) {
      if (!['plant-store', 'hand-signed', 'empty'].includes(variant))
        expect(ours, variant).toBeLessThan(coldMs);
    }
    expect(authorizer['plant-store']?.coldRatio).toBeLessThanOrEqual(0.75);
    expect(large['plant-store']?.cpuMs).toBeLessThanOrEqual(0.55 * (large['cdk-default']?.cpuMs ?? 0));
  });
});

describe('the benchmark’s results at Lambda’s share of a processor', () => {
  it('are the ones in its README', () => {
    const digits = { initMs: 0, firstMs: 0, coldMs: 0, warmMs: 1, billedMs: 1, usdPerMillion: 3 };
    const columns = Object.entries({ ...digits, largeMs: 0, manyPrincipalsFirstMs: 0 });
    const figures: readonly (readonly [string, Figures])[] = [
      ...[share.list, share.authorizer].flatMap((variants) =>
        Object.entries(variants).flatMap(([variant, sizes]) =>
          Object.entries(sizes).map(([mb, ofSize]) => [`${variant} | ${mb}`, ofSize] as const),
        ),
      ),
      ...Object.entries(share.pair),
    ];
    const written = figures.map(([name, ofSize]) => {
      const cells = columns.flatMap(([column, places]) => ofSize[column]?.toFixed(places) ?? []);
      return `| ${name} | ${cells.join(' | ')} |`;
    });
    for (const row of written) expect(rows).toContain(row);
  });

  // With the sizes deployed before the warm-up: 256 MB for the authorizer, 512 MB for the list function.
  const authorizers = (variant: string): Figures => share.authorizer[variant]?.['256'] ?? {};
  const lists = (variant: string): Figures => share.list[variant]?.['512'] ?? {};
  const pairs = (variant: string): Figures => share.pair[variant] ?? {};
  it.each([
    ['authorizer and list in a row', 'coldMs', 0.4, 'documented', pairs],
    ['authorizer', 'coldMs', 0.65, 'aws-jwt-verify', authorizers],
    ['authorizer', 'coldMs', 1.1, 'aws-jwt-verify-hydrated', authorizers],
    ['authorizer', 'warmMs', 1.2, 'aws-jwt-verify', authorizers],
    ['list function', 'coldMs', 0.5, 'cdk-default', lists],
    ['list function', 'coldMs', 0.85, 'hand-signed', lists],
    ['list function', 'largeMs', 0.45, 'cdk-default', lists],
    ['list function', 'largeMs', 1.1, 'hand-signed', lists],
    ['list function', 'manyPrincipalsFirstMs', 0.28, 'cdk-default', lists],
  ] as const)('show that the %s has a %s of at most %d of %s', (_, figure, most, peer, of) => {
    expect(of('plant-store')[figure] ?? Infinity).toBeLessThanOrEqual(most * (of(peer)[figure] ?? 0));
  });

  it.each([
    ['list', '512'],
    ['authorizer', '256'],
  ] as const)(
    'show that the %s function is no slower and no dearer than with %s MB, as before',
    (task, before) => {
      const sizes = share[task]['plant-store'] ?? {};
      const chosen: Figures = sizes[String(chosenMemory(memoryCosts(share, task))?.memoryMb)] ?? {};
      const old: Figures = sizes[before] ?? {};
      // The initialization has a whole processor with every size.
      for (const figure of ['firstMs', 'warmMs', 'usdPerMillion'])
        expect(chosen[figure] ?? Infinity, figure).toBeLessThanOrEqual(old[figure] ?? 0);
    },
  );

  it.each([
    ['list', 'list function'],
    ['authorizer', 'authorizer'],
  ] as const)('are the ones in its README by which the memory of the %s function is chosen', (task, name) => {
    const costs = memoryCosts(share, task);
    const chosen = chosenMemory(costs);
    for (const cost of costs) {
      const cells = [name, cost.memoryMb, cost.ms.toFixed(1), cost.usdPerMillion.toFixed(4)];
      expect(rows).toContain(`| ${cells.join(' | ')} | ${cost === chosen ? 'yes |' : '|'}`);
    }
  });

  it.each(['list', 'authorizer'] as const)('choose the memory that the %s function has', (task) => {
    const prod = stages.find(({ name }) => name === 'prod');
    const deployed = { list: prod?.listPlants.memoryMb, authorizer: prod?.authorizer.memoryMb };
    expect(chosenMemory(memoryCosts(share, task))?.memoryMb).toBe(deployed[task]);
  });
});

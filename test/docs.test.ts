import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseCursor } from '../functions/list-plants/http/cursor.ts';
import { catalogue } from '../functions/list-plants/errors.ts';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const readme = read('README.md');
const openapi: unknown = parse(read('openapi.yaml'));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

/** The rows of the tables whose first cell is an error value: value and meaning. */
const errorTable = (markdown: string): ReadonlyMap<number, string> =>
  new Map(
    [...markdown.matchAll(/^ *\| *(\d{4}) *\| *(.+?) *\|$/gm)].map(([, value, meaning]) => [
      Number(value),
      (meaning ?? '').replace(' (401)', ''),
    ]),
  );

const values = Object.values(catalogue).map(({ error }) => error);

describe('the README', () => {
  it('names every error value', () => {
    expect([...errorTable(readme).keys()]).toEqual(values);
  });

  it('names commands that exist', () => {
    const commands = [...readme.matchAll(/(?:^|`|&& )npm (?:run (?:-s )?)?([a-z:]+)/gm)].map(
      ([, command]) => command ?? '',
    );
    expect(commands).toContain('start');
    expect(commands.filter((command) => command !== 'ci' && !(command in scripts))).toEqual([]);
  });

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link ?? '');
    expect(links).toContain('openapi.yaml');
    expect(links.filter((link) => !existsSync(new URL(`../${link}`, import.meta.url)))).toEqual([]);
  });
});

describe('openapi.yaml', () => {
  const description = z
    .object({
      openapi: z.string(),
      info: z.object({ version: z.string(), license: z.object({ identifier: z.string() }) }),
      security: z.array(z.record(z.string(), z.array(z.string()))),
      components: z.object({
        schemas: z.object({
          Error: z.object({ properties: z.object({ error: z.object({ enum: z.array(z.number()) }) }) }),
        }),
      }),
      paths: z.object({
        '/plants': z.object({
          get: z.object({
            parameters: z.array(
              z.object({ name: z.string(), schema: z.object({ examples: z.array(z.string()).optional() }) }),
            ),
            responses: z.record(z.string(), z.object({ description: z.string(), content: z.unknown() })),
          }),
        }),
      }),
    })
    .parse(openapi);
  const { parameters, responses } = description.paths['/plants'].get;

  it('is version 1.0.0 of the interface, in OpenAPI 3.1.0, under the MIT licence, with bearer security throughout', () => {
    expect(description).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0', license: { identifier: 'MIT' } },
      security: [{ bearer: [] }],
    });
  });

  it('has the error values of the catalogue, with the README’s meanings', () => {
    expect(description.components.schemas.Error.properties.error.enum).toEqual(values);
    const toUserError = errorTable(responses['400']?.description ?? '');
    expect([...toUserError.keys()]).toEqual(values.filter((value) => value !== catalogue.noCaller.error));
    for (const [value, meaning] of toUserError) expect(errorTable(readme).get(value)).toBe(meaning);
  });

  it('shows each error body exactly as the service sends it', () => {
    const shown = JSON.stringify([responses['400']?.content, responses['401']?.content]);
    for (const { error, message } of Object.values(catalogue)) {
      expect(shown).toContain(JSON.stringify({ error, message }));
    }
  });

  it('gives a cursor as its example that the service would accept', () => {
    const { examples = [] } = parameters.find(({ name }) => name === 'cursor')?.schema ?? {};
    expect(parseCursor(examples)).toBe('Fiddle-leaf fig\u0000a07');
  });
});

describe('the benchmark’s results', () => {
  const measured = z.record(
    z.string(),
    z.object({ coldRatio: z.number(), coldMs: z.number(), cpuMs: z.number(), bundleBytes: z.number() }),
  );
  const { list, authorizer, large } = z
    .object({
      list: measured,
      authorizer: measured,
      large: z.record(z.string(), z.object({ cpuMs: z.number() })),
    })
    .parse(JSON.parse(read('bench/results.json')));

  it('are the ones in the README', () => {
    const rows = readme.replaceAll(/ +/g, ' ');
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

  it('of imports are the ones in the README', () => {
    const { results } = z
      .object({
        results: z.array(
          z.object({
            store: z.string(),
            importer: z.string(),
            rowsPerSecond: z.number(),
            peakMegabytes: z.number(),
          }),
        ),
      })
      .parse(JSON.parse(read('bench/import-results.json')));
    const rows = readme.replaceAll(/ +/g, ' ');
    for (const { store, importer, rowsPerSecond, peakMegabytes } of results)
      expect(rows).toContain(`| ${[store, importer, rowsPerSecond, peakMegabytes].join(' | ')} |`);
  });

  it('bear out what is claimed: the fastest that reads the table, close to a hand-written signer', () => {
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

import { existsSync } from 'node:fs';
import { dirname, extname, join, matchesGlob, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { encodeCursor } from '../functions/list-plants/cursor.ts';
import { maxLimit } from '../functions/list-plants/errors.ts';
import { openApi, routes } from './contract/description.ts';
import { suites } from './suites/suites.ts';
import { anchorsOf, codeIn, linksIn, projectFiles, readDocument, sectionsOf } from './support/markdown.ts';
import { operations } from './support/operations.ts';
import { filesCreatedBy } from './support/recipe.ts';
import { stageNamed, templateOf } from './support/synthesized.ts';
import { sortKeyOf } from './support/table/stored-plants.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const files = projectFiles();
const documents = files.filter((file) => file.endsWith('.md'));
const readme = readDocument('README.md');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readDocument('package.json')));

const folders = [...new Set(files.map((file) => dirname(file)).flatMap(withParents))];
const tops = folders.filter((folder) => !folder.includes('/'));
const extensions = new Set(files.map((file) => extname(file)).filter((extension) => extension !== ''));

/** Paths that commands generate, or their first folder. */
const generated = ['.local', 'test-results', 'examples/typescript/plant-store.d.ts'];
/** Paths that commands of a page generate in the reader's own folder. */
const readersOwn = ['plant-store.cdx.json', 'plant-store.d.ts'];
/** Files that a page tells its reader to create. */
const made = documents.flatMap((document) => filesCreatedBy(readDocument(document)));
/** Not files: names in CloudWatch, paths of GitHub's API, refs of Git, other repositories. */
const foreign = [
  'AWS/',
  'PlantStore-prod/',
  'users/',
  'origin/main',
  'refs/heads/',
  'github.com/',
  'testvectors_v1/',
];

/** Whether a path exists or is generated. It can be a pattern, and be relative to any folder. */
const isKnownPath = (path: string): boolean =>
  [...generated, ...readersOwn, ...made, ...foreign].some((start) => path.startsWith(start)) ||
  // A star does not match a dot at the beginning.
  [...files, ...folders].some((each) => matchesGlob(each, `{,**/,.github/**/}${path.replace(/\/$/, '')}`));

/** The words of code that look like paths: with a slash, or with the extension of a file of this project. */
const pathsIn = (code: string): readonly string[] =>
  code
    .split(/[\s'"()[\]{},;|]+/)
    .filter((word) => /^\.?\w[\w.*-]*(?:\/[\w.*-]+)*\/?$/.test(word))
    .filter((word) => word.includes('/') || extensions.has(extname(word)));

const entries = operations.flatMap(({ catalogue }) => Object.values(catalogue));
const values = [...new Set(entries.map(({ error }) => error))].toSorted();

/** The changelog's names of removed files and commands. */
const removed = /^### Removed$.*?(?=^##)/gms;

describe.each(documents)('%s', (document) => {
  const text = readDocument(document);

  it('names commands that exist', () => {
    const current = text.replaceAll(removed, '');
    const commands = [
      ...current.matchAll(/\bnpm run (?:-s )?([a-z]+(?::[a-z]+)*)/g),
      ...current.matchAll(/(?:^|`|&& )npm ([a-z]+)/gm),
    ].map(([, command]) => command ?? '');
    expect(
      commands.filter(
        (command) => !['audit', 'ci', 'run', 'install', 'sbom'].includes(command) && !(command in scripts),
      ),
    ).toEqual([]);
  });

  it('names only existing files in code spans and code blocks', () => {
    const current = text.replaceAll(removed, '');
    expect(
      codeIn(current)
        .flatMap(pathsIn)
        .filter((path) => !isKnownPath(path)),
    ).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const broken = linksIn(text)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? document : normalize(join(dirname(document), path));
        if (!existsSync(join(project, target))) return true;
        return anchor !== undefined && !anchorsOf(readDocument(target)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('runs TypeScript with npx, as the node of a shell may be old', () => {
    expect(text).not.toMatch(/(?<!npx )\bnode (?:-\S+ )*\S+\.ts\b/);
  });
});

/** Longer lines need scrolling on GitHub. Rows of tables and targets of links cannot be wrapped. */
const maxColumns = (file: string): number => (file.endsWith('.md') ? 120 : 110);
const wrapped = (file: string, line: string): string =>
  file.endsWith('.md') ? line.replaceAll(/\]\([^)]*\)|^\|.*/g, '') : line;

it('no line of code or text is too long', () => {
  const endings = /(?:\.(?:[cm]?[jt]s|sh|py|ya?ml|toml|css|html|md|npmrc)|package\.json)$/;
  const long = files
    .filter((file) => endings.test(file))
    .flatMap((file) =>
      readDocument(file)
        .split('\n')
        .flatMap((line, index) =>
          wrapped(file, line).length > maxColumns(file) ? [`${file}:${String(index + 1)}`] : [],
        ),
    );
  expect(long).toEqual([]);
});

it('code, comments and configuration name only files that exist', () => {
  const name = new RegExp(`(?<![\\w./@$}~-])(?:${tops.join('|')})/[\\w./*-]*\\w`, 'g');
  const unknown = files
    .filter((file) => !documents.includes(file) && !file.endsWith('.png'))
    .flatMap((file) =>
      [...readDocument(file).matchAll(name)]
        .filter(([path]) => extensions.has(extname(path)) && !isKnownPath(path))
        .map(([path]) => `${file}: ${path}`),
    );
  expect(unknown).toEqual([]);
});

it.each(Object.entries(scripts))('npm run %s runs with the project’s own Node.js', (_, script) => {
  expect(script).toMatch(/^(exec )?cli\/run /);
});

describe('the README', () => {
  it('links to every page', () => {
    const pages = documents.filter((file) => /^(?:docs|bench)\/|^SECURITY/.test(file));
    const links = new Set(linksIn(readme));
    expect(pages.filter((page) => !links.has(page))).toEqual([]);
  });

  it('shows code as it is in the file that is linked before it', () => {
    const shown = [...readme.matchAll(/\]\(([\w/.-]+\.ts)\)[^`]*(?:`[^`]+`[^`]*)*?```ts\n(.*?)^```/gms)];
    expect(shown).toHaveLength(readme.match(/^```ts$/gm)?.length ?? 0);
    for (const [, file = '', code = ''] of shown) expect(readDocument(file)).toContain(code);
  });

  it('shows the current layout', () => {
    const [, tree = ''] = /```\n(.*?)^```/ms.exec(new Map(sectionsOf(readme, 2)).get('Layout') ?? '') ?? [];
    const unknown = tree.split(/\n(?! )/).flatMap((line) => {
      const names = [...line.matchAll(/(?<=^|[ ,;])([\w.-]+)\//gm)].map(([, name]) => name ?? '');
      const below = folders.filter((folder) => folder.startsWith(`${names[0] ?? ''}/`));
      return names.filter((name) => !tops.includes(name) && !below.some((each) => each.endsWith(`/${name}`)));
    });
    expect(unknown).toEqual([]);
    expect(tops.filter((folder) => !tree.includes(`${folder}/`))).toEqual([]);
  });
});

/** A folder and its parents. */
function withParents(folder: string): readonly string[] {
  return folder === '.' ? [] : [folder, ...withParents(dirname(folder))];
}

describe('SECURITY.md', () => {
  const threats = (new Map(sectionsOf(readDocument('SECURITY.md'), 2)).get('Threats') ?? '')
    .split(/^- \*\*|^### .*$/m)
    .filter((entry) => entry.includes('**'))
    .map((entry) => [entry.split('**')[0] ?? '', entry] as const);

  it.each(threats)('names the test of a threat: %s', (_, entry) => {
    const links = linksIn(entry);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toMatch(/^test\/.+\.ts$/);
  });
});

it('docs/decisions.md shows or names each type of resource of prod, and no other', () => {
  const { Resources } = z
    .object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) })
    .parse(templateOf(stageNamed('prod')).toJSON());
  const [, picture = '', below = ''] =
    /^```mermaid\n(.*?)^```\n\n(.*?)\n\n/ms.exec(readDocument('docs/decisions.md')) ?? [];
  const named = [...`${picture}${below}`.matchAll(/["`](\w+::\w+)/g)].map(([, type = '']) => type);
  const types = Object.values(Resources).map(({ Type }) => Type.replace('AWS::', ''));
  expect([...new Set(named)].toSorted()).toEqual([...new Set(types)].toSorted());
});

describe('docs/runbook.md', () => {
  const runbook = readDocument('docs/runbook.md');
  const prod = templateOf(stageNamed('prod'));

  it('uses only outputs that the stack has', () => {
    const used = [...runbook.matchAll(/\$\(output (\w+)\)/g)].map(([, name]) => name);
    expect(used).toContain('TableName');
    expect(Object.keys(prod.findOutputs('*'))).toEqual(expect.arrayContaining(used));
  });

  it('names only graphs and tables that the dashboard has', () => {
    const dashboard = JSON.stringify(prod.findResources('AWS::CloudWatch::Dashboard'));
    const named = [...runbook.matchAll(/(?:graph|table) “(.+?)”/gi)].map(([, title = '']) => title);
    expect(named).toContain('Who sends most');
    expect(named.filter((title) => !dashboard.includes(`\\"title\\":\\"${title}\\"`))).toEqual([]);
  });

  it('has a row for each alarm of prod, and no other; those of releases share one', () => {
    const names = [...JSON.stringify(prod.toJSON()).matchAll(/AlarmName":"PlantStore-prod-(\w+)"/gi)];
    const alarms = names.map(([, name = '']) => name).filter((name) => !/^FastBurn./.test(name));
    const rows = [...runbook.matchAll(/^\| (`\w+`.*?) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/\w+/g) ?? [],
    );
    const short = (all: readonly string[]): readonly string[] =>
      [...new Set(all.map((name) => name.replace(/^\w+Release$/, 'Release')))].toSorted();
    expect(short(rows)).toEqual(short(alarms));
  });
});

describe('the suites', () => {
  const names = suites.map(({ name }) => name);

  it('are the rows of docs/suites.md', () => {
    const rows = readDocument('docs/suites.md').matchAll(/^\| `(\w+)` /gm);
    expect([...rows].map(([, name]) => name)).toEqual(names);
  });

  it('are those that the pipeline runs', () => {
    const [, list = ''] = /suite: \[(.*?)\]/s.exec(readDocument('.github/workflows/ci.yml')) ?? [];
    expect(list.match(/\w+/g)).toEqual(names);
  });
});

it('dependabot.yml updates every package manifest', () => {
  const { updates } = z
    .object({
      updates: z.array(
        z.object({ directory: z.string().optional(), directories: z.array(z.string()).default([]) }),
      ),
    })
    .parse(parse(readDocument('.github/dependabot.yml')));
  const updated = updates.flatMap(({ directory = [], directories }) => [directory, directories].flat());
  const manifests = files.filter((file) => /(?:^|\/)(?:package\.json|requirements\.txt)$/.test(file));
  const folders = manifests.map((file) => `/${dirname(file)}`.replace('/.', '/'));
  expect(folders.filter((folder) => !updated.includes(folder))).toEqual([]);
});

describe('openapi.yaml', () => {
  const at = (place: string): unknown =>
    place.split(' ').reduce((parent, member) => z.looseObject({}).parse(parent)[member], openApi);

  it('has the error values of the operations, and their meanings', () => {
    const error = 'components schemas Error properties error';
    expect(at(`${error} examples`)).toEqual(values);
    const rows = String(at(`${error} description`)).matchAll(/^\| (\d{4}) \| \S/gm);
    expect([...rows].map(([, value]) => Number(value))).toEqual(values);
  });

  it('has the routes of the stack', () => {
    expect(routes.map(({ key }) => key).toSorted()).toEqual(operations.map(({ route }) => route).toSorted());
  });

  it('describes each status that the gateway or the list responds with', () => {
    const { responses = {} } = routes.find(({ key }) => key === 'GET /plants') ?? {};
    const statuses = [200, 400, 401, 403, 404, 413, 429, 431, 500, 503];
    expect(Object.keys(responses)).toEqual(statuses.map(String));
  });

  it('lets a release add fields and error values, which generated clients then accept', () => {
    const open = z.object({ additionalProperties: z.literal(true) });
    const error = open.extend({
      properties: z.object({ error: z.object({ enum: z.undefined().optional() }) }),
    });
    const schemas = z.object({ Plant: open, Error: error });
    const { success } = z
      .object({ components: z.object({ schemas }) })
      .safeParse(parse(readDocument('openapi.yaml')));
    expect(success).toBe(true);
  });

  it.each(operations)(
    'shows each error that $route responds with exactly as it is sent, and no other',
    ({ route, catalogue }) => {
      const { responses = {} } = routes.find(({ key }) => key === route) ?? {};
      const shown = Object.entries(responses).flatMap(([status, { content }]) =>
        Object.values(content?.['application/json'].examples ?? {}).flatMap(({ value }) => {
          const { data } = z.object({ error: z.int(), message: z.string() }).safeParse(value);
          return data === undefined ? [] : [{ ...data, statusCode: Number(status) }];
        }),
      );
      const byValue = (a: { error: number }, b: { error: number }): number => a.error - b.error;
      expect(shown.toSorted(byValue)).toEqual(Object.values(catalogue).toSorted(byValue));
    },
  );

  it('has the bounds of limit, and an example of a cursor that the service accepts', () => {
    const example = encodeCursor(sortKeyOf('Fiddle-leaf fig', 'a07'));
    expect(at('paths /plants get parameters')).toMatchObject([
      { name: 'limit', schema: { minimum: 0, maximum: maxLimit } },
      { name: 'cursor', schema: { examples: [example] } },
    ]);
  });
});

import { existsSync } from 'node:fs';
import { dirname, extname, join, matchesGlob, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serviceDescription } from '../smoke/response-differences.ts';
import { unattendedSuites } from './suites/suites.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';
import { operations } from './support/operation-catalogues.ts';
import { filesCreatedBy } from './suites/recipe.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const files = projectFiles();
const documents = files.filter((file) => file.endsWith('.md'));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readProjectFile('package.json')));

const folders = [...new Set(files.map((file) => dirname(file)).flatMap(withParents))];
const topFolders = folders.filter((folder) => !folder.includes('/'));
const extensions = new Set(files.map((file) => extname(file)).filter((extension) => extension !== ''));

/** The text without its blocks of code, in which comments look like headings. */
const proseOf = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, '');

/** The targets of links and pictures in a document. */
const linksIn = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture ?? '',
  );

/** The code spans and the lines of code blocks. */
const codeIn = (markdown: string): readonly string[] => [
  ...[...proseOf(markdown).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? ''),
  ...[...markdown.matchAll(/^```.*?\n(.*?)^```/gms)].flatMap(([, block]) => block?.split('\n') ?? []),
];

/** The blocks of commands, and the commands in sentences. */
const commandsIn = (markdown: string): readonly string[] => [
  ...[...markdown.matchAll(/^ *```(?:sh|bash|zsh|shell|console)\n(.*?)^ *```$/gms)].map(
    ([, block]) => block ?? '',
  ),
  ...[...proseOf(markdown).matchAll(/`((?:npm|npx|bin\/run|aws|curl|docker|gh|git|sam) [^`]+)`/g)].map(
    ([, span]) => span ?? '',
  ),
];

/** What zsh in a terminal, as on macOS, reads differently from bash: comments, and `:` after a variable. */
const differentInZsh = /(?<=^|[\s;&|(])#.*|\$\w+:[a-zA-Z]/gm;
const quotedText = /\\.|'[^']*'/gs;

/** The anchor of each heading, as GitHub makes it. */
const anchorsOf = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Paths, or first folders of paths, that commands of this project write and Git ignores. */
const ignoredPaths = ['.local', 'test-results', 'examples/typescript/plant-store.d.ts'];
/** Files that commands of a page write into the reader's own folder. */
const readersFiles = [
  ...['plant-store.cdx.json', 'plant-store.d.ts'],
  ...['table/book.ts', 'cli/book-row.ts', 'local/store/sample-books.ts', 'test/unit/book-desk'],
];
/** A folder that owners delete after or without applying it (docs/crud.md), and a folder that it adds. */
const optionalFolders = ['examples/crud', 'test/model'];
/** Files that a page tells its reader to create. */
const filesOfRecipes = documents.flatMap((document) => filesCreatedBy(readProjectFile(document)));
/** Words with a slash that are no paths of this project. */
const notPaths = {
  'media types': ['application/'],
  'names in CloudWatch': ['AWS/', 'PlantStore-prod/'],
  'paths of GitHub’s API': ['users/'],
  'refs of Git': ['origin/main', 'refs/heads/'],
  'other repositories': ['github.com/'],
};
const allowedStarts = [
  ...ignoredPaths,
  ...readersFiles,
  ...optionalFolders,
  ...filesOfRecipes,
  ...Object.values(notPaths).flat(),
];

/** Whether a path exists, or need not exist. The path can be a pattern, and relative to any folder. */
const isKnownPath = (path: string): boolean =>
  allowedStarts.some((start) => path.startsWith(start)) ||
  // The pattern names .github, because a star does not match a dot at the beginning.
  [...files, ...folders].some((each) => matchesGlob(each, `{,**/,.github/**/}${path.replace(/\/$/, '')}`));

/** The words of code that look like paths: with a slash, or with the extension of a file of this project. */
const pathsIn = (code: string): readonly string[] =>
  code
    .split(/[\s'"()[\]{},;|]+/)
    .filter((word) => /^\.?\w[\w.*-]*(?:\/[\w.*-]+)*\/?$/.test(word))
    .filter((word) => word.includes('/') || extensions.has(extname(word)));

describe.each(documents)('%s', (document) => {
  const text = readProjectFile(document);

  it('names commands that exist', () => {
    const commands = [
      ...text.matchAll(/\bnpm run (?:-s )?([a-z]+(?::[a-z]+)*)/g),
      ...text.matchAll(/(?:^|`|&& )npm ([a-z]+)/gm),
    ].map(([, command]) => command ?? '');
    expect(
      commands.filter(
        (command) => !['audit', 'ci', 'run', 'install', 'sbom'].includes(command) && !(command in scripts),
      ),
    ).toEqual([]);
  });

  it('names only existing files in code spans and code blocks', () => {
    const paths = codeIn(text).flatMap(pathsIn);
    expect(paths.filter((path) => !isKnownPath(path))).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const broken = linksIn(text)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? document : normalize(join(dirname(document), path));
        if (!existsSync(join(project, target))) return true;
        return anchor !== undefined && !anchorsOf(readProjectFile(target)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('has no command that means something else in zsh', () => {
    const commands = commandsIn(text).map((command) => command.replaceAll(quotedText, ''));
    expect(commands.flatMap((command) => command.match(differentInZsh) ?? [])).toEqual([]);
  });

  it('runs TypeScript with npx or bin/run, because the node of a shell may be old', () => {
    expect(text).not.toMatch(/(?<!npx |bin\/run )\bnode (?:-\S+ )*\S+\.ts\b/);
  });
});

/** Longer lines need scrolling on GitHub. */
const maxLineLength = (file: string): number => (file.endsWith('.md') ? 120 : 110);
/** A line without the parts that cannot be wrapped in Markdown: targets of links, and rows of tables. */
const wrappable = (file: string, line: string): string =>
  file.endsWith('.md') ? line.replaceAll(/\]\([^)]*\)|^\|.*/g, '') : line;

it('no line of code or text is too long', () => {
  const endings = /(?:\.(?:[cm]?[jt]s|sh|py|ya?ml|toml|css|html|md|npmrc)|package\.json)$/;
  const long = files
    .filter((file) => endings.test(file))
    .flatMap((file) =>
      readProjectFile(file)
        .split('\n')
        .flatMap((line, index) =>
          wrappable(file, line).length > maxLineLength(file) ? [`${file}:${String(index + 1)}`] : [],
        ),
    );
  expect(long).toEqual([]);
});

it('code, comments and configuration name only files that exist', () => {
  const name = new RegExp(`(?<![\\w./@$}~-])(?:${topFolders.join('|')})/[\\w./*-]*\\w`, 'g');
  const unknown = files
    .filter((file) => !documents.includes(file) && !/\.png$|package-lock\.json$/.test(file))
    .flatMap((file) =>
      [...readProjectFile(file).matchAll(name)]
        .filter(([path]) => extensions.has(extname(path)) && !isKnownPath(path))
        .map(([path]) => `${file}: ${path}`),
    );
  expect(unknown).toEqual([]);
});

// npm runs `preinstall` before the project's own Node.js is installed. If an image has only package.json and
// package-lock.json at that time, bin/run is missing, too.
it.each(Object.entries(scripts).filter(([name]) => name !== 'preinstall'))(
  'npm run %s runs with the project’s own Node.js',
  (_, script) => {
    expect(script).toMatch(/^(exec )?bin\/run /);
  },
);

it('the README links to every page', () => {
  const pages = documents.filter((file) => /^(?:docs|bench)\/|^SECURITY/.test(file));
  const links = new Set(linksIn(readProjectFile('README.md')));
  expect(pages.filter((page) => !links.has(page))).toEqual([]);
});

/** A folder and its parents. */
function withParents(folder: string): readonly string[] {
  return folder === '.' ? [] : [folder, ...withParents(dirname(folder))];
}

it('the pipeline runs every suite that needs no login', () => {
  const [, list = ''] = /suite: \[(.*?)\]/s.exec(readProjectFile('.github/workflows/ci.yml')) ?? [];
  expect(list.match(/\w+/g)).toEqual(unattendedSuites.map(({ name }) => name));
});

it('the table of docs/suites.md has every suite that needs no login, and no other', () => {
  const rows = [...readProjectFile('docs/suites.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(new Set(rows)).toEqual(new Set(unattendedSuites.map(({ name }) => name)));
});

describe('CHANGELOG.md, in the format of Keep a Changelog,', () => {
  const [head, ...sections] = readProjectFile('CHANGELOG.md').split(/^## /m);
  const versions = sections.map((section) => section.replace(/\n.*/s, ''));

  it('has Unreleased, then each version with its date, and a link for each of them', () => {
    expect(head).toMatch(/^# Changelog\n/);
    const [unreleased, ...released] = versions;
    expect(unreleased).toBe('[Unreleased]');
    const others = released.filter((version) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(version));
    expect(others).toEqual([]);
    const links = [...readProjectFile('CHANGELOG.md').matchAll(/^(\[.+\]): /gm)].map(([, name]) => name);
    expect(links).toEqual(versions.map((version) => version.replace(/ - .*/, '')));
  });

  it('lists changes, and only under the headings of that format', () => {
    const heading = /^### (?:Added|Changed|Deprecated|Removed|Fixed|Security)$/;
    const other = sections
      .flatMap((section) => section.split('\n').slice(1))
      .filter((line) => !heading.test(line) && !/^(?:- | {2}\S|\[.+\]: |$)/.test(line));
    expect(other).toEqual([]);
    // No section begins with a change, because each change is below a heading.
    expect(sections.filter((section) => /^[^\n]*\n+- /.test(section))).toEqual([]);
  });
});

describe('openapi.yaml', () => {
  it('has the routes of the stack', () => {
    expect(serviceDescription.routes.map(({ key }) => key).toSorted()).toEqual(
      operations.map(({ route }) => route).toSorted(),
    );
  });

  it('describes each status that the gateway or the list responds with', () => {
    const { responses } = serviceDescription.routes.find(({ key }) => key === 'GET /plants') ?? {};
    const statuses = [200, 400, 401, 403, 404, 413, 429, 431, 500, 503];
    expect([...(responses?.keys() ?? [])]).toEqual(statuses.map(String));
  });

  it.each(operations)(
    'shows each error that $route responds with exactly as it is sent, and no other',
    ({ route, catalogue }) => {
      const { responses } = serviceDescription.routes.find(({ key }) => key === route) ?? {};
      const shown = [...(responses ?? [])].flatMap(([status, { content }]) =>
        (content.get('application/json')?.examples ?? []).flatMap((value) => {
          const { data } = z.object({ error: z.int(), message: z.string() }).safeParse(value);
          return data === undefined ? [] : [{ ...data, statusCode: Number(status) }];
        }),
      );
      const byValue = (a: { error: number }, b: { error: number }): number => a.error - b.error;
      expect(shown.toSorted(byValue)).toEqual(Object.values(catalogue).toSorted(byValue));
    },
  );
});

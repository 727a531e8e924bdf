import { dirname, relative, resolve } from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';

/**
 * What a folder or file may import besides its own files and packages. Imports of values and types, import()
 * and re-exports count. The first row that matches the importing file applies. Packages need not be named,
 * except `aws-cdk-lib` and `zod`.
 */
const mayImport = {
  'functions/runtime': [],
  'functions/dynamodb': ['functions/runtime'],
  'functions/http': ['table/principal.ts', 'functions/runtime'],
  'functions/plant-store': ['table', 'functions/runtime', 'functions/dynamodb'],
  'functions/authorizer': ['table', 'functions/runtime', 'functions/http'],
  'functions/pre-traffic-hook': ['functions/runtime'],
  'functions/*': ['table', 'functions/runtime', 'functions/http', 'functions/plant-store'],
  table: [],
  terminal: [],
  smoke: ['table', 'terminal'],
  // `npm start` loads these files, so they must not import CDK, which takes seconds to load.
  'infra/operations.ts': ['table', 'infra/operation-definition.ts'],
  'infra/operation-definition.ts': [],
  'infra/timeouts.ts': [],
  infra: [
    'table',
    'functions/runtime/log-events.ts',
    'functions/authorizer/log-events.ts',
    'functions/authorizer/denial.ts',
    'aws-cdk-lib',
  ],
  'local/api.ts': ['local', 'infra/operations.ts', 'infra/timeouts.ts', 'functions', 'terminal'],
  local: ['table', 'terminal'],
  cli: ['table', 'terminal', 'functions/dynamodb/throttling.ts'],
  bench: ['table', 'functions', 'local', 'terminal', 'test', 'zod'],
  'test/bench-*': ['bench', 'test'],
  'test/contract/in-process.test.ts': ['table', 'functions', 'local', 'terminal', 'smoke', 'test', 'zod'],
  'test/contract/plant-store.ts': ['table', 'functions', 'local', 'terminal', 'smoke', 'test'],
  'test/contract': ['table', 'smoke', 'test', 'zod'],
  test: [
    'table',
    'functions',
    'infra',
    'local',
    'cli',
    'terminal',
    'smoke',
    'aws-cdk-lib',
    'zod',
    'import-rules.ts',
  ],
};

/** The packages that a row must name. */
const checkedPackages = /^(?:aws-cdk-lib|zod)(?:\/|$)/;

/** The file or folder of a path that the name in a row matches, such as `functions/http`; `*` is any name. */
const matchedPath = (name: string, path: string): string | undefined =>
  new RegExp(`^${RegExp.escape(name).replace(String.raw`\*`, '[^/]*')}(?=/|$)`).exec(path)?.[0];

/** The path of a file in the project. A file of examples/crud counts as the file that it is copied to. */
const projectPath = (path: string): string =>
  relative(import.meta.dirname, path).replace(/^examples\/crud\//, '');

type Rule = Parameters<RuleTester['run']>[1];
interface Range {
  readonly range: [number, number];
}

/** Reports each import and re-export that the row of the linted file does not allow. */
export const importRule: Rule = {
  create: ({ filename, report, sourceCode }) => {
    const file = projectPath(filename);
    const row = Object.entries(mayImport).find(([name]) => matchedPath(name, file) !== undefined);
    if (row === undefined) return {};
    const [rowName, otherNames] = row;
    const ownFolder = matchedPath(rowName, file) ?? '';
    const isAllowed = (path: string): boolean =>
      [ownFolder, ...otherNames].some((name) => matchedPath(name, path) !== undefined);

    const check = ({ source }: { readonly source: Range | null }): void => {
      if (source === null) return;
      // For a computed import(), only the literal text at its start is checked.
      const specifier = /^['"`]([^'"`$]*)/.exec(sourceCode.getText(source))?.[1] ?? '';
      const isFile = specifier.startsWith('.');
      if (!isFile && !checkedPackages.test(specifier)) return;
      const path = isFile ? projectPath(resolve(dirname(filename), specifier)) : specifier;
      if (!isAllowed(path))
        report({ node: source, message: `${file} must not import ${path}: see import-rules.ts.` });
    };
    return {
      // Spread, because oxlint's type of a visitor takes any node, and `check` only one with a source.
      ...{ ImportDeclaration: check, ImportExpression: check, TSImportType: check },
      ...{ ExportAllDeclaration: check, ExportNamedDeclaration: check },
    };
  },
};

export default { meta: { name: 'imports' }, rules: { 'only-allowed': importRule } };

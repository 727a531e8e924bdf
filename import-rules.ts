import { dirname, relative, resolve } from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';

/**
 * What a folder imports beside its own files and packages: for values and types, by import() or to export it.
 * The first row that matches a file counts. Of packages, only `aws-cdk-lib` and `zod` must be named.
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
  smoke: ['terminal'],
  // npm start loads these files, and CDK would take it seconds.
  'infra/operations.ts': ['infra/operation-definition.ts'],
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
    ...['table', 'functions', 'infra', 'local', 'cli', 'terminal', 'smoke'],
    ...['aws-cdk-lib', 'zod', 'import-rules.ts'],
  ],
};

/** The part of a path that a name of the table matches, from its start. */
const partNamed = (name: string, path: string): string | undefined =>
  new RegExp(`^${RegExp.escape(name).replace(String.raw`\*`, '[^/]*')}(?=/|$)`).exec(path)?.[0];

/** The path of a file in the project. A file of examples/crud counts as one of the folder that it is copied to. */
const projectPath = (path: string): string =>
  relative(import.meta.dirname, path).replace(/^examples\/crud\//, '');

type Rule = Parameters<RuleTester['run']>[1];
interface Range {
  readonly range: [number, number];
}

export const oneWay: Rule = {
  create: ({ filename, report, sourceCode }) => {
    const file = projectPath(filename);
    const row = Object.entries(mayImport).find(([name]) => partNamed(name, file) !== undefined);
    if (row === undefined) return {};
    const names = [partNamed(row[0], file) ?? '', ...row[1]];
    const check = ({ source }: { readonly source: Range | null }): void => {
      if (source === null) return;
      // Of a computed import(), the literal text at its start counts.
      const text = /^['"`]([^'"`$]*)/.exec(sourceCode.getText(source))?.[1] ?? '';
      const isOwnFile = text.startsWith('.');
      const path = isOwnFile ? projectPath(resolve(dirname(filename), text)) : text;
      if (!isOwnFile && !/^(?:aws-cdk-lib|zod)(?:\/|$)/.test(text)) return;
      if (!names.some((name) => partNamed(name, path) !== undefined))
        report({ node: source, message: `${file} must not import ${path}: see import-rules.ts.` });
    };
    return {
      ...{ ImportDeclaration: check, ImportExpression: check, TSImportType: check },
      ...{ ExportAllDeclaration: check, ExportNamedDeclaration: check },
    };
  },
};

export default { meta: { name: 'imports' }, rules: { 'one-way': oneWay } };

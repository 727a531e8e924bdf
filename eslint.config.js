import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { includeIgnoreFile } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What each folder imports beside its own files, as CONTRIBUTING.md shows it. The first row counts. */
const mayImport = {
  'functions/shared': ['table'],
  'functions/plant-store': ['table', 'functions/shared'],
  'functions/http': ['table', 'functions/shared', 'functions/plant-store'],
  'functions/*': ['table', 'functions/shared', 'functions/plant-store', 'functions/http'],
  table: [],
  infra: ['table', 'functions/shared/log-events.ts', 'aws-cdk-lib'],
  'local/api.ts': ['local', 'infra/operations.ts', 'functions'],
  local: ['table', 'cli/terminal'],
  cli: ['table', 'local/service-file.ts'],
  bench: ['functions', 'local', 'table', 'test'],
  'test/bench-*': ['bench', 'test'],
  'test/contract/in-process.test.ts': ['functions', 'local', 'table', 'test'],
  'test/contract/plant-store.ts': ['functions', 'local', 'table', 'test'],
  'test/contract': ['table', 'test'],
  test: ['cli', 'functions', 'infra', 'local', 'table', 'aws-cdk-lib'],
};

/** Imports point one way. Of a computed import(), the literal part before the first variable counts. */
const oneWay = {
  create: (context) => {
    const file = relative(import.meta.dirname, context.filename);
    const isWithin = (path, folder) => new RegExp(`^${folder.replace('*', '[^/]*')}(/|$)`).test(path);
    const row = Object.entries(mayImport).find(([folder]) => isWithin(file, folder));
    if (row === undefined) return {};
    const own = row[0] === 'functions/*' ? dirname(file) : row[0];
    const check = ({ source }) => {
      const text = source?.value ?? source?.quasis?.[0].value.cooked ?? '';
      const path = text.startsWith('.') ? relative(import.meta.dirname, resolve(dirname(file), text)) : text;
      const isRestricted = text.startsWith('.') || text.startsWith('aws-cdk-lib');
      if (!isRestricted || [own, ...row[1]].some((folder) => isWithin(path, folder))) return;
      context.report({ node: source, message: `${file} must not import ${path}.` });
    };
    const kinds = ['ImportDeclaration', 'ImportExpression', 'TSImportType', 'ExportAllDeclaration'];
    return Object.fromEntries([...kinds, 'ExportNamedDeclaration'].map((kind) => [kind, check]));
  },
};

/** The benchmark is linted only where its own packages, which have its types, are installed. */
const benchWithoutTypes = existsSync('bench/node_modules') ? [] : ['bench/'];

export default tseslint.config(
  includeIgnoreFile(resolve(import.meta.dirname, '.gitignore')),
  { ignores: ['examples/', ...benchWithoutTypes] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    // A quarter faster than `projectService`.
    languageOptions: { parserOptions: { project: ['tsconfig.json', 'bench/tsconfig.json'] } },
    plugins: { imports: { rules: { 'one-way': oneWay } } },
    rules: {
      'imports/one-way': 'error',
      // Parse a value into a type instead of asserting the type; `as const` stays allowed.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Index signatures are read with brackets, as tsc requires (noPropertyAccessFromIndexSignature).
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  // Types of metrics are inferred: explicit ones would list their names again.
  { files: ['infra/monitoring/*.ts'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
);

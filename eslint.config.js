import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

// Folders that the service and its command line never import.
const development = ['bench', 'examples', 'test'];
const forbiddenToFunctions = [...development, 'cli', 'infra', 'local'];

/** The benchmark is linted only where its own packages, which have its types, are installed. */
const benchWithoutTypes = existsSync(join(import.meta.dirname, 'bench/node_modules')) ? [] : ['bench/'];

/** The shared folders of functions: each imports those before it. Other folders are functions. */
const shared = ['shared', 'plant-store', 'http'];
const functions = readdirSync(join(import.meta.dirname, 'functions')).filter(
  (folder) => !shared.includes(folder),
);
const importsOfFunctions = Object.fromEntries([
  ...shared.map((folder, index) => [
    `functions/${folder}`,
    [...forbiddenToFunctions, ...shared.slice(index + 1), ...functions],
  ]),
  ...functions.map((folder) => [
    `functions/${folder}`,
    [...forbiddenToFunctions, ...functions.filter((other) => other !== folder)],
  ]),
]);

/** Imports point one way (.github/CONTRIBUTING.md): what each folder must not import; `!` allows a file. */
const forbiddenImports = {
  bench: ['cli', 'examples'],
  cli: [...development, 'functions', 'infra', 'local', '!local/service-file.ts'],
  ...importsOfFunctions,
  infra: [...development, 'cli', ...shared, ...functions, '!shared/log-events.ts', 'local'],
  // A file is allowed only if its folder is.
  local: [
    ...development,
    'cli',
    '!cli/terminal',
    '!cli/terminal/*',
    'functions',
    'infra',
    '!infra/operations.ts',
  ],
  table: [...forbiddenToFunctions, 'functions'],
  test: ['bench'],
  'test/contract': ['bench', 'cli', 'functions', 'infra', 'local'],
};

const noImportOf = (folders, mayImportCdk = false) => ({
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        { group: folders.map((each) => (each.startsWith('!') ? `!**/${each.slice(1)}` : `**/${each}/**`)) },
        ...(mayImportCdk ? [] : [{ group: ['aws-cdk-lib*'] }]),
      ],
    },
  ],
});

export default tseslint.config(
  { ignores: ['**/cdk.out/', '.local/', 'test-results/', 'examples/', ...benchWithoutTypes] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // Parse a value into a type instead of asserting the type; `as const` stays allowed.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Index signatures are read with brackets, as tsc requires (noPropertyAccessFromIndexSignature).
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    // Types of metrics are inferred: explicit ones would list their names again.
    files: ['infra/monitoring/*.ts'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  {
    // The type of Lambda's context still requires its deprecated callbacks.
    files: ['test/support/lambda-context.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  ...Object.entries(forbiddenImports).map(([folder, forbidden]) => ({
    files: [`${folder}/**/*.ts`],
    // Their packages are those of bench/package.json, which `npm ci` does not install.
    ignores: ['test/bench-*.ts'],
    rules: noImportOf(forbidden, ['bench', 'infra', 'test'].includes(folder)),
  })),
  {
    files: ['cli', 'functions', 'infra', 'local', 'table'].map((folder) => `${folder}/**/*.ts`),
    // It composes the functions that infra/operations.ts lists.
    ignores: ['local/api.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: String.raw`ImportExpression:not([source.value=/^(?!\.\.\u002f)/])`,
          message: 'import() must name a package or a file of the same folder: import rules do not see it.',
        },
      ],
    },
  },
  {
    // The contract's in-process target, and the contract of the plant store.
    files: ['test/contract/in-process.test.ts', 'test/contract/plant-store.ts'],
    rules: noImportOf(['bench', 'cli', 'infra']),
  },
);

import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['cdk.out/', '.local/', 'docs-site/', 'test-results/', 'bench/', 'examples/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // Values come into a type by parsing; `as const` stays allowed.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Index signatures are read with brackets, as tsc asks for (noPropertyAccessFromIndexSignature).
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    // The type of Lambda's context still asks for its deprecated callbacks.
    files: ['test/support/lambda-context.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  // Imports point one way.
  ...Object.entries({
    infra: ['functions', 'local', 'cli'],
    local: ['functions', 'infra', 'cli'],
    cli: ['functions', 'infra'],
    'functions/shared': ['infra', 'local', 'cli', 'authorizer', 'list-plants'],
    'functions/authorizer': ['infra', 'local', 'cli', 'list-plants'],
    'functions/list-plants': ['infra', 'local', 'cli', 'authorizer'],
  }).map(([folder, forbidden]) => ({
    files: [`${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...[...forbidden, 'test'].map((each) => `**/${each}/**`),
            ...(folder === 'infra' ? [] : ['aws-cdk-lib*']),
          ],
        },
      ],
    },
  })),
);

import { defineConfig } from 'vitest/config';
import { environment } from './test/support/environment.ts';

export default defineConfig({
  test: {
    // The file of examples/crud that is named here compares that folder with the project.
    include: ['test/**/*.test.ts', 'examples/crud/*.test.ts'],
    // `npm run test:suites` runs the suites, which need third-party systems, whole processes or minutes.
    // Editors and macOS make files whose names begin with a dot.
    exclude: ['**/node_modules/**', 'test/suites/**', '**/.*'],
    // Removes temporary files after the run, because CDK leaves the folder of each app behind.
    globalSetup: 'test/support/temporary-folder.ts',
    env: environment,
    // Synthesis takes seconds on a busy machine; no test asserts a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Test files share loaded modules, because loading CDK for each file would take longer than most files.
    // So tests restore what they replace.
    isolate: false,
    // Each worker loads CDK and all other imports again, which costs more than a third worker saves.
    maxWorkers: 2,
    // Titles show values of up to 120 characters in full, such as the alarms of a series.
    taskTitleValueFormatTruncate: 120,
    // For `npm run coverage`.
    coverage: {
      include: ['functions/**/*.ts'],
      reporter: ['text'],
      reportsDirectory: 'test-results/coverage',
      thresholds: { statements: 95, branches: 95, functions: 95, lines: 95 },
    },
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});

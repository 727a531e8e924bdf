import { defineConfig } from 'vitest/config';
import { environment } from './test/support/environment.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The suites need third-party systems, whole processes or minutes: npm run test:suites.
    // Files that begin with a dot are those of editors and macOS.
    exclude: ['**/node_modules/**', 'test/suites/**', '**/.*'],
    // CDK leaves the folder of each app behind.
    globalSetup: 'test/support/temporary-folder.ts',
    env: environment,
    // Synthesis takes seconds on a busy machine; no test asserts a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Loading CDK again for each file would take longer than most files. Tests restore what they replace.
    isolate: false,
    // Each loads CDK and all other imports again, which costs more than a third worker saves.
    maxWorkers: 2,
    // Values in titles, such as the alarms of a series, are whole.
    taskTitleValueFormatTruncate: 120,
    // Of npm run coverage.
    coverage: {
      include: ['functions/**/*.ts'],
      reporter: ['text'],
      reportsDirectory: 'test-results/coverage',
      thresholds: { statements: 95, branches: 95, functions: 95, lines: 95 },
    },
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});

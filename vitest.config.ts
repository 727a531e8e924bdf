import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need engines that nobody here wrote: test/external/run.ts.
    exclude: ['test/external/**'],
    // What a developer set for `npm start`, and where CI runs, must not show in templates under test.
    env: { ISSUER_PORT: '', STORE_PORT: '', GITHUB_SERVER_URL: '' },
    // Synthesis and real processes take seconds on a busy machine; no test asserts a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Loading CDK for each file again would take longer than most files; what a test replaces it puts back.
    isolate: false,
    // More than the cores: the slow files wait for the processes they start.
    maxWorkers: 3,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});

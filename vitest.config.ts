import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Synthesis and real processes take seconds on a busy machine; no test asserts a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // More than the cores: the slow files wait for the processes they start.
    maxWorkers: 3,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,attacks,decisions}/**/*.test.ts'],
    testTimeout: 10_000,
  },
});

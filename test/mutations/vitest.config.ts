import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,attacks}/**/*.test.ts'],
    testTimeout: 10_000,
  },
});

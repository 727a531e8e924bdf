import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,attacks,authorizer}/**/*.test.ts'],
    testTimeout: 10_000,
  },
});

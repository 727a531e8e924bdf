import { defineConfig } from 'vitest/config';

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases a test stands for that leaves the counting to a tool, or draws them; 1 unless set. */
    cases?: number;
  }
}

export default defineConfig({
  test: {
    // A signal to the process group must not end the tests before they have cleaned up.
    pool: 'threads',
    include: ['test/{external,external/plants,attacks}/*.test.ts'],
    // An engine in a container or behind a fault takes its time; no test asserts one.
    testTimeout: 120_000,
    // Their lines would bury the failures in the log of .ci/run.
    slowTestThreshold: 120_000,
    hookTimeout: 300_000,
  },
});

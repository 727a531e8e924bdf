import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: ['test/external/plants/*.test.ts'], testTimeout: 120_000, hookTimeout: 300_000, pool: 'threads' } });

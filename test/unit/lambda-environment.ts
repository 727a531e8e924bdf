import { afterEach, beforeEach, vi } from 'vitest';

/** For each test: sets variables and the time in milliseconds, and makes imports load modules again. */
export const useLambda = (environment: Readonly<Record<string, string>>, now: number): void => {
  beforeEach(() => {
    vi.resetModules();
    vi.useFakeTimers({ toFake: ['Date'], now });
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
};

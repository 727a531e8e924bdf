import { afterEach, beforeEach, vi } from 'vitest';

/** In each test: the variables and the time with which a handler's module, imported there, is loaded anew. */
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

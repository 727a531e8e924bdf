import { afterAll, beforeAll, describe } from 'vitest';
import { parts } from './parts.ts';
import type { Target } from './target.ts';

/**
 * Tests a service against the contract: the specification, the project's decisions and `openapi.yaml`.
 * @param start starts the service, or finds a running one
 * @param describeMore adds tests that only this service can pass, after all others
 */
export const describeContract = (
  name: string,
  start: () => Promise<Target>,
  describeMore?: (target: () => Target) => void,
): void => {
  describe(`the contract on ${name}`, () => {
    let target: Target | undefined;
    beforeAll(async () => {
      target = await start();
    });
    afterAll(async () => {
      await target?.stop();
    });
    const running = (): Target => {
      if (target === undefined) throw new Error('The service did not start.');
      return target;
    };
    for (const [part, describePart] of Object.entries(parts)) {
      describe(part, () => {
        describePart(running);
      });
    }
    describeMore?.(running);
  });
};

import { afterAll, beforeAll, describe } from 'vitest';
import { describeAccess } from './access.ts';
import { type Differences, expectToFail } from './differences.ts';
import { describeListing } from './listing.ts';
import { describePaging } from './paging.ts';
import { describeReadOnly } from './read-only.ts';
import { describeResponses } from './responses.ts';
import type { Target } from './target.ts';

/**
 * Holds a service against the contract: the specification, the decisions in the README and `openapi.yaml`.
 * @param start starts the service, or finds one that runs
 * @param describeMore adds tests that only this service can pass, after all others
 * @param differences what its gateway does otherwise than AWS
 */
export const describeContract = (
  name: string,
  start: () => Promise<Target>,
  describeMore?: (target: () => Target) => void,
  differences: Differences = {},
): void => {
  describe(`the contract, held by ${name}`, () => {
    let target: Target | undefined;
    beforeAll(async ({}, { tasks }) => {
      expectToFail(tasks, differences);
      target = await start();
    });
    afterAll(async () => {
      await target?.stop();
    });
    const running = (): Target => {
      if (target === undefined) throw new Error('The service did not start.');
      return target;
    };
    describe('listing', () => {
      describeListing(running);
    });
    describe('paging', () => {
      describePaging(running);
    });
    describe('responses', () => {
      describeResponses(running);
    });
    describe('read-only', () => {
      describeReadOnly(running);
    });
    describe('access', () => {
      describeAccess(running);
    });
    describeMore?.(running);
  });
};

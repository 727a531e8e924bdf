import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { ServiceResponse } from './client.ts';
import type { Plant } from './plant-list.ts';

/** Ends a check with a message, which must not contain a token, plant name or cursor. */
export const failCheck = (message: string): never => {
  throw new AssertionError({ message });
};

/** The status and error value of a response, without plants and messages. */
const outcomeOf = ({ status, body }: ServiceResponse): string => {
  const hasError = typeof body === 'object' && body !== null && 'error' in body;
  return `status ${String(status)}${hasError ? ` with error ${String(body.error)}` : ''}`;
};

/** @param expected such as `status 400 with error 1001` */
export const expectStatus = (request: string, response: ServiceResponse, expected: string): void => {
  const received = outcomeOf(response);
  if (received !== expected) failCheck(`${request}: expected ${expected}; received ${received}`);
};

export const expectPlants = (request: string, plants: readonly Plant[], expected: readonly Plant[]): void => {
  if (plants.length !== expected.length)
    failCheck(`${request}: expected ${String(expected.length)} plants; received ${String(plants.length)}`);
  const unexpected = plants.findIndex((plant, index) => !isDeepStrictEqual(plant, expected[index]));
  if (unexpected !== -1) failCheck(`${request}: received an unexpected plant ${String(unexpected + 1)}`);
};

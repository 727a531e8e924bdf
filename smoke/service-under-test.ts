import { expectStatus, failCheck } from './expectations.ts';
import { exchange, type Headers, type ServiceResponse } from './client.ts';
import { nextTarget, withoutCursor } from './link-header.ts';
import { type Plant, plantsInBody } from './plant-list.ts';
import { serviceDescription } from './response-differences.ts';

/** The service that the smoke test sends requests to, as one of its users. */
export interface ServiceUnderTest {
  /**
   * Sends a request.
   * @param headers default: the user's token alone
   * @param method default: GET
   * @param content the body; default: none
   */
  readonly send: (
    target: string,
    headers?: Headers,
    method?: string,
    content?: string,
  ) => Promise<ServiceResponse>;
  /** The plants in a response to a GET request. */
  readonly listPlants: (target: string) => Promise<readonly Plant[]>;
  /** The plants of all list pages along the links, until there are more than `maxPlants`. */
  readonly listAlongLinks: (limit: number, maxPlants: number) => Promise<readonly Plant[]>;
  /**
   * How responses so far differ from `openapi.yaml`. The value is the first request that shows a difference.
   */
  readonly differences: ReadonlyMap<string, string>;
}

/**
 * Checks one statement of the contract. Returns what could not be checked with this caller's plants, or
 * undefined if everything was checked.
 */
export type Check = (service: ServiceUnderTest, token: string) => Promise<string | undefined>;

export const serviceUnderTest = (baseUrl: string, token: string): ServiceUnderTest => {
  const differences = new Map<string, string>();

  const send: ServiceUnderTest['send'] = async (
    target,
    headers = { authorization: `Bearer ${token}` },
    method = 'GET',
    content,
  ) => {
    const sent = { ...headers, 'user-agent': 'plant-store-smoke' };
    const response = await exchange(baseUrl, target, sent, method, content);
    const request = `${method} ${target}`;
    const { status, headers: received, body } = response;
    for (const difference of serviceDescription.responseDifferences(request, status, received, body))
      if (!differences.has(difference)) differences.set(difference, withoutCursor(request));
    return response;
  };

  const plantsIn = (target: string, response: ServiceResponse): readonly Plant[] => {
    const request = `GET ${withoutCursor(target)}`;
    expectStatus(request, response, 'status 200');
    const plants = plantsInBody(response.body);
    return plants ?? failCheck(`${request}: expected a list of plants; received another body`);
  };

  return {
    send,
    listPlants: async (target) => plantsIn(target, await send(target)),
    listAlongLinks: async (limit, maxPlants) => {
      const plants: Plant[] = [];
      let target: string | undefined = `/plants?limit=${String(limit)}`;
      // If links form a circle, `maxPlants` ends the loop.
      while (target !== undefined && plants.length <= maxPlants) {
        const response: ServiceResponse = await send(target);
        plants.push(...plantsIn(target, response));
        target = nextTarget(response);
      }
      return plants;
    },
    differences,
  };
};

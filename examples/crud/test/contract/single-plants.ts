import { beforeEach } from 'vitest';
import { z } from 'zod';
import type { Headers, ServiceResponse } from '../../smoke/client.ts';
import { fields as declared } from '../../table/fields.ts';
import { requiredSamples } from '../../table/sample-values.ts';
import type { Caller } from './plants.ts';
import type { Target } from './target.ts';

/** A plant in a response, with its path and its ETag. */
export interface ShownPlant {
  readonly id: string;
  readonly path: string;
  readonly etag: string;
  readonly body: object;
}

type Fields = Readonly<Record<string, unknown>>;

const jsonHeaders = { 'content-type': 'application/json' };
const required = requiredSamples(declared);
const plantSchema = z.looseObject({ id: z.string() });

/** Sends fields as a new plant, with a valid value of each other required field. */
export const post = (
  caller: Caller,
  fields: Fields,
  headers: Headers = {},
  query = '',
): Promise<ServiceResponse> =>
  caller.post(`/plants${query}`, { ...jsonHeaders, ...headers }, JSON.stringify({ ...required, ...fields }));

/** Sends a change of a plant that has a version. */
export const patch = (
  caller: Caller,
  { path, etag }: Pick<ShownPlant, 'path' | 'etag'>,
  change: Fields,
  headers: Headers = {},
): Promise<ServiceResponse> =>
  caller.send('PATCH', path, { ...jsonHeaders, 'if-match': etag, ...headers }, JSON.stringify(change));

/** Deletes a plant, whatever its version. */
export const remove = (caller: Caller, path: string, headers: Headers = {}): Promise<ServiceResponse> =>
  caller.send('DELETE', path, headers);

/** The plant in a response with this status. */
export const plantIn = (response: ServiceResponse, expectedStatus = 200): ShownPlant => {
  const { status, headers, body } = response;
  if (status !== expectedStatus)
    throw new Error(
      `Expected ${String(expectedStatus)}; received ${String(status)} ${JSON.stringify(body)}.`,
    );
  const plant = plantSchema.parse(body);
  return { id: plant.id, path: `/plants/${plant.id}`, etag: headers['etag'] ?? '', body: plant };
};

/** Adds a plant. */
export const added = async (...request: Parameters<typeof post>): Promise<ShownPlant> =>
  plantIn(await post(...request), 201);

/** What a repetition must have in common with the first response. */
export const outcomeOf = ({ status, headers, body }: ServiceResponse): object => ({
  status,
  body,
  etag: headers['etag'],
  location: headers['location'],
});

/** Skips the tests of a describe block where the gateway passes no headers that the functions read. */
export const needsRequestHeaders = (target: () => Target): void => {
  beforeEach(({ skip }) => {
    skip(!target().gateway.passesLowerCaseHeaders, 'This gateway does not pass header names in lower case.');
  });
};

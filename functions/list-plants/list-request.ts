import type { APIGatewayProxyEventV2WithLambdaAuthorizer } from 'aws-lambda';
import { type Principal, principalOf } from '../../table/principal.ts';
import { parseCaller } from '../shared/caller-context.ts';
import { catalogue, ServiceError } from '../shared/errors.ts';
import type { ListQuery } from './read-plants.ts';
import { chooseCoding, type ContentCoding } from '../http/content-coding.ts';
import { parseCursor } from './cursor.ts';
import { parseLimit } from './limit.ts';

/** The gateway's event (payload format 2.0). Every field is optional, because another gateway may omit it. */
export interface ListEvent extends Partial<Pick<GatewayEvent, 'rawQueryString' | 'headers'>> {
  readonly requestContext?: Partial<Pick<GatewayEvent['requestContext'], 'authorizer'>>;
}

type GatewayEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<unknown>;

/** A request that passed every check. */
export interface ListRequest extends Omit<ListQuery, 'maxBytes'> {
  readonly coding: ContentCoding;
}

/**
 * Reads the gateway's event.
 * @param now milliseconds since 1970
 * @throws {ServiceError} 1004, 1001 or 1002, in this order
 */
export const parseListRequest = (event: ListEvent, now: number): ListRequest => {
  const principals = principalsOf(event.requestContext?.authorizer?.lambda, now);
  // In queryStringParameters the gateway joins repeated parameters with commas.
  // URLSearchParams removes one leading question mark, which could belong to a parameter.
  const parameters = new URLSearchParams(`?${event.rawQueryString ?? ''}`);
  return {
    principals,
    limit: parseLimit(parameters.getAll('limit')),
    after: parseCursor(parameters.getAll('cursor')),
    coding: chooseCoding(event.headers?.['accept-encoding'] ?? ''),
  };
};

/**
 * The principals of the caller in the authorizer's context, each once.
 * The gateway caches the authorizer's response, so the token may have expired since: its expiry is checked again.
 * @param now milliseconds since 1970
 * @throws {ServiceError} 1004 when the context is missing or malformed or its token has expired, so that a
 * gateway without an authorizer lets no request through
 */
export const principalsOf = (context: unknown, now: number): readonly Principal[] => {
  const caller = parseCaller(context);
  if (caller === undefined || caller.expiresAt * 1000 <= now) throw new ServiceError(catalogue.noCaller);
  const { subject, groups } = caller;
  return [principalOf('user', subject), ...new Set(groups.map((group) => principalOf('group', group)))];
};

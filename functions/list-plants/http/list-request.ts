import type { APIGatewayProxyEventV2WithLambdaAuthorizer } from 'aws-lambda';
import { principalsOf } from '../principals.ts';
import { chooseCoding, type ContentCoding } from './content-coding.ts';
import { parseCursor } from './cursor.ts';
import { parseLimit } from './limit.ts';
import type { ListQuery } from '../list-plants.ts';
import { maxPlainBytes } from './page-response.ts';

/** The gateway's event (payload format 2.0); nothing in it is taken for granted, whatever gateway sent it. */
export interface ListEvent extends Partial<Pick<GatewayEvent, 'rawQueryString' | 'headers'>> {
  readonly requestContext?: Partial<Pick<GatewayEvent['requestContext'], 'authorizer'>>;
}

type GatewayEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<unknown>;

/** A request that passed every check. */
export interface ListRequest extends ListQuery {
  readonly coding: ContentCoding;
}

/**
 * Reads the gateway's event.
 * @param now milliseconds since 1970
 * @throws {ServiceError} 1004, 1001 or 1002, in this order
 */
export const parseListRequest = (event: ListEvent, now: number): ListRequest => {
  const principals = principalsOf(event.requestContext?.authorizer?.lambda, now);
  // Not queryStringParameters, where the gateway joins repeated parameters with commas.
  // URLSearchParams takes one question mark off the front, which may be a parameter's own.
  const parameters = new URLSearchParams(`?${event.rawQueryString ?? ''}`);
  const coding = chooseCoding(event.headers?.['accept-encoding'] ?? '');
  return {
    principals,
    limit: parseLimit(parameters.getAll('limit')),
    after: parseCursor(parameters.getAll('cursor')),
    maxBytes: maxPlainBytes(coding),
    coding,
  };
};

import type { WrittenAttribute } from '../../table/field-kinds.ts';
import type { Issuer } from '../support/issuer.ts';

/** An attribute in DynamoDB's protocol: a string, a number, a boolean or null. */
export type Attribute = WrittenAttribute | { readonly NULL: boolean };

/** An item as DynamoDB stores it. */
export type Item = Readonly<Record<string, Attribute>>;

/** The gateway in front of the functions. */
export interface Gateway {
  /** The gateway's response to a denied request. */
  readonly forbidden: readonly [status: number, body: unknown];
  /** The gateway's response to a request without a route. */
  readonly notFound: readonly [status: number, body: unknown];
  /** Whether the gateway passes header names in lower case, the only form that the functions read. */
  readonly passesLowerCaseHeaders: boolean;
  /** Whether the gateway passes a body of type application/json as it is, even if it is not UTF-8. */
  readonly passesBytes: boolean;
}

/** API Gateway. */
export const apiGateway: Gateway = {
  forbidden: [403, { message: 'Forbidden' }],
  notFound: [404, { message: 'Not Found' }],
  passesLowerCaseHeaders: true,
  passesBytes: true,
};

/** A running service under test. */
export interface Target {
  readonly baseUrl: string;
  readonly gateway: Gateway;
  readonly issuer: Issuer;
  /** Puts items into the service's table. */
  readonly put: (items: readonly Item[]) => Promise<void>;
  /** Deletes the items with these keys from the table. */
  readonly remove: (keys: readonly Item[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

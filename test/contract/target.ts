import type { WrittenAttribute } from '../../table/attributes.ts';
import type { Issuer } from '../support/issuer.ts';

/** An attribute in DynamoDB's protocol: a string, a number, a boolean or null. */
export type Attribute = WrittenAttribute | { readonly NULL: boolean };

/** An item as DynamoDB stores it. */
export type Item = Readonly<Record<string, Attribute>>;

/** The gateway in front of the functions. */
export interface Gateway {
  /** Its own responses: status and body. */
  readonly forbidden: readonly [status: number, body: unknown];
  readonly notFound: readonly [status: number, body: unknown];
  /** Whether it passes names of headers in lower case. The function reads no others. */
  readonly passesLowerCase: boolean;
}

/** API Gateway. */
export const apiGateway: Gateway = {
  forbidden: [403, { message: 'Forbidden' }],
  notFound: [404, { message: 'Not Found' }],
  passesLowerCase: true,
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

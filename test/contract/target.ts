import type { Issuer } from '../support/issuer.ts';

/** An attribute in DynamoDB's protocol: a string, a number or null. */
export type Attribute = { readonly S: string } | { readonly N: string } | { readonly NULL: boolean };

/** An item as DynamoDB stores it. */
export type Item = Readonly<Record<string, Attribute>>;

/** Responses that the gateway itself sends: status and body. */
export interface GatewayResponses {
  readonly forbidden: readonly [status: number, body: unknown];
  readonly notFound: readonly [status: number, body: unknown];
}

/** The responses of API Gateway. Another gateway may use other texts. */
export const apiGatewayResponses: GatewayResponses = {
  forbidden: [403, { message: 'Forbidden' }],
  notFound: [404, { message: 'Not Found' }],
};

/** A running service under test. */
export interface Target {
  readonly baseUrl: string;
  readonly gateway: GatewayResponses;
  readonly issuer: Issuer;
  /** Puts items into the service's table. */
  readonly put: (items: readonly Item[]) => Promise<void>;
  /** Deletes the items with these keys from the table. */
  readonly remove: (keys: readonly Item[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

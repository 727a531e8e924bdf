import type { Issuer } from '../support/issuer.ts';

/** An item as DynamoDB stores it. */
export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What the gateway in front of the functions says itself: status and body. */
export interface GatewayResponses {
  readonly forbidden: readonly [status: number, body: unknown];
  readonly notFound: readonly [status: number, body: unknown];
}

/** API Gateway's own; another gateway may word them otherwise. */
export const apiGatewayResponses: GatewayResponses = {
  forbidden: [403, { message: 'Forbidden' }],
  notFound: [404, { message: 'Not Found' }],
};

/** A running service that the contract is held against. */
export interface Target {
  readonly baseUrl: string;
  readonly gateway: GatewayResponses;
  /** How many callers at once the machine takes; an emulator may start a process for each. */
  readonly callersAtOnce: number;
  readonly issuer: Issuer;
  /** Puts items into the service's table. */
  readonly put: (items: readonly Item[]) => Promise<void>;
  /** Deletes the items with these keys from it. */
  readonly remove: (keys: readonly Item[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

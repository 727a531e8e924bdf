import type { Principal } from '../../../table/principal.ts';

export const issuerKeys = ['first', 'second', 'third'] as const;
export type IssuerKey = (typeof issuerKeys)[number];

/** A token's invalid or missing field, other than its key and times. */
export const invalidFields = ['iss', 'aud', 'no aud', 'typ', 'no sub'] as const;

export interface Caller {
  readonly subject: string;
  readonly groups: readonly string[];
}

export interface NewToken {
  /** The key it is signed with; the current one is the first that the issuer publishes. */
  readonly key: IssuerKey | 'current';
  /** Signed with a stranger's key of the same type. */
  readonly isForged: boolean;
  readonly kid: 'of the key' | 'none' | 'unknown';
  /** In seconds from now; by default 600, 0 and 0. */
  readonly times: { readonly exp?: number; readonly nbf?: number; readonly iat?: number };
  readonly wrong?: (typeof invalidFields)[number];
}

export interface ValidQuery {
  readonly limit?: number | undefined;
  /** The number of a cursor that any caller received earlier in the history. */
  readonly cursor?: number | undefined;
}

export interface InvalidQuery {
  readonly wrong: string;
  readonly error: number;
}

export interface ListStep {
  readonly caller: Caller;
  /** A new token, or the caller's last one. */
  readonly token: NewToken | 'the last';
  readonly query: ValidQuery | InvalidQuery;
}

/** One step of a history. Each run adds a suffix of its own to the names of users and groups. */
export type Step =
  | { readonly step: 'grant'; readonly to: Principal; readonly name: string; readonly id: string }
  /** `plant`: the number of one of the principal's plants. */
  | { readonly step: 'revoke'; readonly from: Principal; readonly plant: number }
  | { readonly step: 'damage'; readonly of: Principal; readonly name: string; readonly id: string }
  | { readonly step: 'list'; readonly requests: readonly ListStep[] }
  | { readonly step: 'rotate'; readonly keys: readonly IssuerKey[] }
  | { readonly step: 'issuer'; readonly state: IssuerState }
  | { readonly step: 'store'; readonly works: boolean }
  | { readonly step: 'time passes'; readonly seconds: number };

export type IssuerState = 'works' | 'does not respond' | 'has no keys';

import type { Principal } from '../../../table/principal.ts';

export const issuerKeys = ['first', 'second', 'third'] as const;
export type IssuerKey = (typeof issuerKeys)[number];

/** What is wrong with a token beside its key and its times. */
export const wrongFields = ['iss', 'aud', 'no aud', 'typ', 'no sub'] as const;

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
  /** In seconds from now; otherwise 600, 0 and 0. */
  readonly times: { readonly exp?: number; readonly nbf?: number; readonly iat?: number };
  readonly wrong?: (typeof wrongFields)[number];
}

export interface RightQuery {
  readonly limit?: number | undefined;
  /** One of the cursors received before in the history, by whoever, by number. */
  readonly cursor?: number | undefined;
}

export interface WrongQuery {
  readonly wrong: string;
  readonly error: number;
}

export interface ListStep {
  readonly caller: Caller;
  /** A new token, or the caller's last one. */
  readonly token: NewToken | 'the last';
  readonly query: RightQuery | WrongQuery;
}

/** One step of a history. The names of users and groups are those within the history. */
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

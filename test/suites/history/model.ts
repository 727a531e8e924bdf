// What the service must do, short enough to check by eye. Times are in milliseconds.
import { clockToleranceSeconds } from '../../../functions/authorizer/claims.ts';
import { compareBytes } from '../../support/table/memory-plant-store.ts';
import type { Plant } from '../../contract/plants.ts';

/** The state of everything that a response depends on. */
export interface World {
  readonly now: number;
  /** Each principal's plants by sort key. */
  readonly access: ReadonlyMap<string, ReadonlyMap<string, Plant>>;
  readonly storeWorks: boolean;
  /** The ids of the issuer's keys; undefined if it does not respond, or has no usable key. */
  readonly published: readonly string[] | undefined;
}

export interface Token {
  readonly principals: readonly string[];
  readonly signer: string;
  readonly kid?: string | undefined;
  /** Whether issuer, audience, type and subject are valid. */
  readonly claimsAreValid: boolean;
  /** The later of `nbf` and `iat`. */
  readonly startsAt: number;
  readonly expiresAt: number;
}

/** What one execution environment of the authorizer holds. */
export interface Environment {
  readonly keys: readonly string[];
  readonly fetchedAt: number;
  readonly failedAt: number;
  /** Whether it was initialized. */
  readonly isWarm: boolean;
}

export const newEnvironment: Environment = {
  keys: [],
  fetchedAt: -Infinity,
  failedAt: -Infinity,
  isWarm: false,
};

/** Initialization tries to fetch the keys, and a failure has no effect. */
const warmUp = (environment: Environment, { now, published }: World): Environment => ({
  ...environment,
  ...(published !== undefined && { keys: published, fetchedAt: now }),
  isWarm: true,
});

export type Decision = 'allow' | 'deny' | 'throw';

/** Decides about a token; `environment` is what the authorizer holds afterwards. */
export const authorize = (
  { signer, kid, claimsAreValid, startsAt, expiresAt }: Token,
  world: World,
  environment: Environment,
): { readonly decision: Decision; readonly fetches: number; readonly environment: Environment } => {
  const { now, published } = world;
  let { keys, fetchedAt, failedAt } = environment.isWarm ? environment : warmUp(environment, world);
  let fetches = environment.isWarm ? 0 : 1;
  const fetched = (): boolean => {
    if (now - failedAt < 1000) return false;
    fetches += 1;
    if (published === undefined) failedAt = now;
    else [keys, fetchedAt] = [published, now];
    return published !== undefined;
  };
  const isKeyKnown = (): boolean => keys.includes(kid ?? signer);
  const decide = (): Decision => {
    if (now - fetchedAt >= 600_000 && !fetched() && now - fetchedAt >= 3_600_000) return 'throw';
    if (!isKeyKnown() && now - fetchedAt >= 5000 && !fetched()) return 'throw';
    const isSigned = isKeyKnown() && (kid === undefined || kid === signer);
    const isInTime = startsAt <= now + clockToleranceSeconds * 1000 && expiresAt > now;
    return isSigned && claimsAreValid && isInTime ? 'allow' : 'deny';
  };
  return { decision: decide(), fetches, environment: { keys, fetchedAt, failedAt, isWarm: true } };
};

export interface Query {
  readonly limit?: number | undefined;
  /** A position in the order: a sort key. */
  readonly after?: string | undefined;
  /** The error of an invalid `limit` or `cursor`. */
  readonly error?: number | undefined;
}

export interface Response {
  readonly status: number;
  readonly error?: number | undefined;
  readonly plants?: readonly Plant[] | undefined;
  /** The position where the list continues. */
  readonly next?: string | undefined;
}

/** The response to a request after the authorizer's decision, which the gateway may have cached. */
export const respond = (decision: Decision, token: Token, query: Query, world: World): Response => {
  if (decision === 'throw') return { status: 500 };
  if (decision === 'deny') return { status: 403 };
  if (token.expiresAt <= world.now) return { status: 401, error: 1004 };
  if (query.error !== undefined) return { status: 400, error: query.error };
  const { limit = Infinity, after = '' } = query;
  if (limit === 0) return { status: 200, plants: [] };
  if (!world.storeWorks) return { status: 400, error: 2001 };
  // Of the copies of one plant, that of the first principal counts.
  const copies = token.principals
    .toReversed()
    .flatMap((principal) => [...(world.access.get(principal) ?? [])]);
  const all = new Map(copies);
  const following = [...all].filter(([key]) => compareBytes(key, after) > 0);
  const listed = following.sort(([a], [b]) => compareBytes(a, b)).slice(0, limit);
  const next = following.length > listed.length ? listed.at(-1)?.[0] : undefined;
  return { status: 200, plants: listed.map(([, plant]) => plant), next };
};

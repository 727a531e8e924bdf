import { isPrincipalName } from '../../table/principal.ts';
import { type Caller, isGroupList } from '../http/caller-context.ts';
import { isJsonObject, type JsonObject } from '../runtime/json-object.ts';
import { Denied } from './denial.ts';
import type { TokenPolicy, TokenProfile } from './token-policy.ts';

/** Denials are cached for 60 s, so 60 s of clock skew are allowed for `nbf` and `iat`. */
export const clockToleranceSeconds = 60;

/**
 * Checks what jose does not check of a verified token, and reads the caller from its claims.
 * @param now milliseconds since 1970
 * @throws {Denied} unless kind, client, scope, times and caller are valid
 */
export const callerOf = (claims: JsonObject, policy: TokenPolicy, now: number): Caller => {
  checkKind(policy.profile, claims);
  // A proof-of-possession token (RFC 7800 section 3): behind an HTTP API, the proof cannot be verified.
  if ('cnf' in claims) throw new Denied('key-bound');
  checkScope(policy.requiredScope, claims);
  const expiresAt = expiryOf(claims, now / 1000);
  const { sub: subject, [policy.groupsClaim]: groups = [] } = claims;
  if (!isPrincipalName(subject)) throw new Denied('subject');
  if (omitsGroups(policy.groupsClaim, claims) || !isGroupList(groups)) throw new Denied('groups');
  return { subject, groups, expiresAt };
};

const checkKind = (profile: TokenProfile, claims: JsonObject): void => {
  if (profile.name === 'oidc' && isNotAccessToken(claims)) throw new Denied('token-type');
  if (profile.name !== 'cognito') return;
  if (claims['token_use'] !== 'access') throw new Denied('token-use');
  if (!profile.clientIds.some((id) => id === claims['client_id'])) throw new Denied('client');
  // jose compares `aud` with the stage's audience, if it has one.
  if (profile.audience === undefined && 'aud' in claims) throw new Denied('audience');
};

/**
 * An ID or logout token can have the API's audience. An ID token may have hashes (OpenID Connect Core 1.0
 * sections 3.1.3.6 and 3.3.2.11, FAPI 1.0 Part 2) or a Keycloak `typ` other than `Bearer`; a logout token has
 * `events` (OpenID Connect Back-Channel Logout 1.0 section 2.4).
 */
const isNotAccessToken = (claims: JsonObject): boolean =>
  ['at_hash', 'c_hash', 's_hash', 'events'].some((mark) => mark in claims) ||
  ('typ' in claims && claims['typ'] !== 'Bearer');

/** RFC 9068 section 2.2.3 has `scope`, Entra and Okta `scp`, Entra's tokens of a program only `roles`. */
const checkScope = (required: string | undefined, { scope, scp, roles }: JsonObject): void => {
  const scopes = [scope, scp, roles].flatMap(scopesIn);
  if (required !== undefined && !scopes.includes(required)) throw new Denied('scope');
};

/** The scopes in a space-separated string or a list of strings. */
const scopesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.split(' ');
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : [];
};

/** A token expires at its `exp`, to which jose adds the tolerance. jose compares `iat` with nothing. */
const expiryOf = ({ exp, iat = 0 }: JsonObject, now: number): number => {
  if (typeof exp !== 'number' || !Number.isFinite(exp) || exp <= now) throw new Denied('lifetime');
  if (typeof iat !== 'number' || iat > now + clockToleranceSeconds) throw new Denied('lifetime');
  return exp;
};

/**
 * Whether the issuer omitted groups because they are too many. OpenID Connect Core 1.0 section 5.6.2 names
 * such a claim in `_claim_names`; Entra has `hasgroups` and `groups:src1` too, both only about the claim
 * `groups` (its access token reference).
 */
const omitsGroups = (groupsClaim: string, claims: JsonObject): boolean => {
  const { _claim_names: distributed = {}, hasgroups: hasOthers = false } = claims;
  if (groupsClaim === 'groups' && (hasOthers !== false || 'groups:src1' in claims)) return true;
  return !isJsonObject(distributed) || Object.hasOwn(distributed, groupsClaim);
};

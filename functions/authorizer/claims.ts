import type { JWTVerifyOptions } from 'jose/jwt/verify';
import { isPrincipalName } from '../../table/principal.ts';
import { type Caller, isGroupList } from '../http/caller-context.ts';
import { isJsonObject, type JsonObject } from '../runtime/json-object.ts';
import { type DenialReason, Denied } from './denial.ts';
import type { TokenPolicy, TokenProfile } from './token-policy.ts';

// All rules for claims and for the header's `typ`. jose checks `joseRules`, and `callerOf` checks the rest.

/**
 * `nbf` and `iat` may be 60 s ahead, because clocks differ. Without tolerance, a new token could be denied,
 * and the gateway would cache the denial for 60 s.
 */
const clockToleranceSeconds = 60;

/**
 * The rules that jose checks: `iss` is the stage's issuer, `aud` contains the audience of the token profile,
 * `typ` is that of the profile, and `nbf` and `exp` enclose the present time, with the tolerance.
 * @param typ the `typ` in the token's header
 * @param now milliseconds since 1970
 */
export const joseRules = ({ issuer, profile }: TokenPolicy, typ: unknown, now: number): JWTVerifyOptions => ({
  issuer,
  ...(profile.audience !== undefined && { audience: profile.audience }),
  ...typRule(profile, typ),
  currentDate: new Date(now),
  clockTolerance: clockToleranceSeconds,
});

/** RFC 9068 section 4 requires at+jwt. Tokens of Keycloak, Okta and Entra (`oidc`) have JWT or no `typ`. */
const typRule = (profile: TokenProfile, typ: unknown): JWTVerifyOptions => {
  if (profile.name === 'rfc9068') return { typ: 'at+jwt' };
  return profile.name === 'oidc' && typ !== undefined ? { typ: 'JWT' } : {};
};

/** The reason to deny a token if jose rejects this claim, or the header's `typ`. */
export const denialReasonFor = (claim: string): DenialReason => {
  switch (claim) {
    case 'iss':
      return 'issuer';
    case 'aud':
      return 'audience';
    case 'typ':
      return 'token-type';
    // The claim is `exp`, `nbf` or `iat`.
    default:
      return 'lifetime';
  }
};

/**
 * Checks the rules that jose does not check, and reads the caller from the claims.
 * @param claims the claims of a token that jose has verified with `joseRules`
 * @param now milliseconds since 1970
 * @throws {Denied} unless the token is an access token with valid client, scope, times, subject and groups
 */
export const callerOf = (claims: JsonObject, policy: TokenPolicy, now: number): Caller => {
  if (policy.profile.name === 'oidc') checkAccessToken(claims);
  if (policy.profile.name === 'cognito') checkCognitoToken(policy.profile, claims);
  checkNotKeyBound(claims);
  checkScope(policy.requiredScope, claims);
  checkIssuedAt(claims, now / 1000);
  const expiresAt = expiryOf(claims, now / 1000);
  return { subject: subjectOf(claims), groups: groupsOf(policy.groupsClaim, claims), expiresAt };
};

/** ID tokens and logout tokens can have the API's `aud` too, but have claims that access tokens lack. */
const checkAccessToken = (claims: JsonObject): void => {
  if (idOrLogoutTokenClaims.some((name) => name in claims)) throw new Denied('token-type');
  // Keycloak's tokens have a claim `typ` besides the header's: ID tokens `ID`, refresh tokens `Refresh`.
  if ('typ' in claims && claims['typ'] !== 'Bearer') throw new Denied('token-type');
};

const idOrLogoutTokenClaims = [
  // ID tokens: OpenID Connect Core 1.0 sections 3.1.3.6 and 3.3.2.11, FAPI 1.0 Part 2.
  'at_hash',
  'c_hash',
  's_hash',
  // Logout tokens: OpenID Connect Back-Channel Logout 1.0 section 2.4.
  'events',
];

const checkCognitoToken = (
  { clientIds, audience }: TokenProfile & { readonly name: 'cognito' },
  claims: JsonObject,
): void => {
  if (claims['token_use'] !== 'access') throw new Denied('token-use');
  if (!clientIds.some((id) => id === claims['client_id'])) throw new Denied('client');
  // jose accepts any `aud` if the stage has no audience.
  if (audience === undefined && 'aud' in claims) throw new Denied('audience');
};

/** A token bound to a key (`cnf`, RFC 7800 section 3) needs a proof, which an HTTP API cannot verify. */
const checkNotKeyBound = (claims: JsonObject): void => {
  if ('cnf' in claims) throw new Denied('key-bound');
};

/**
 * Scopes are in `scope` (RFC 9068 section 2.2.3), in `scp` (Entra, Okta), or only in `roles` (Entra's
 * app-only tokens).
 */
const checkScope = (required: string | undefined, { scope, scp, roles }: JsonObject): void => {
  const scopes = [scope, scp, roles].flatMap(scopesIn);
  if (required !== undefined && !scopes.includes(required)) throw new Denied('scope');
};

/** The scopes in a space-separated string or a list of strings. */
const scopesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.split(' ');
  return Array.isArray(value) && value.every((scope) => typeof scope === 'string') ? value : [];
};

/** Checks `iat` with the tolerance, because jose does not compare `iat` with the time. */
const checkIssuedAt = ({ iat = 0 }: JsonObject, nowSeconds: number): void => {
  if (typeof iat !== 'number' || iat > nowSeconds + clockToleranceSeconds) throw new Denied('lifetime');
};

/** Checks `exp` without tolerance. jose requires no `exp`, and allows a token to be expired for 60 s. */
const expiryOf = ({ exp }: JsonObject, nowSeconds: number): number => {
  if (typeof exp !== 'number' || !Number.isFinite(exp) || exp <= nowSeconds) throw new Denied('lifetime');
  return exp;
};

const subjectOf = ({ sub }: JsonObject): string => {
  if (!isPrincipalName(sub)) throw new Denied('subject');
  return sub;
};

const groupsOf = (groupsClaim: string, claims: JsonObject): readonly string[] => {
  const { [groupsClaim]: groups = [] } = claims;
  if (omitsGroups(groupsClaim, claims) || !isGroupList(groups)) throw new Denied('groups');
  return groups;
};

/**
 * Whether the issuer omitted groups because they are too many. OpenID Connect Core 1.0 section 5.6.2 names
 * an omitted claim in `_claim_names`. Entra also has `hasgroups` or `groups:src1`, both only about the claim
 * `groups` (its access token reference).
 */
const omitsGroups = (groupsClaim: string, claims: JsonObject): boolean => {
  const { _claim_names: distributed = {}, hasgroups: hasOmittedGroups = false } = claims;
  if (groupsClaim === 'groups' && (hasOmittedGroups !== false || 'groups:src1' in claims)) return true;
  return !isJsonObject(distributed) || Object.hasOwn(distributed, groupsClaim);
};

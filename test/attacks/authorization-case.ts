import type { DenialReason } from '../../functions/authorizer/denial.ts';
import type { Issuer } from '../support/issuer.ts';
import type { SigningKey } from '../support/signing-keys.ts';

/** A request with an Authorization header, and the authorizer's decision on it, which the title states. */
export type AuthorizationCase = CaseRequest & CaseDecision;

interface CaseRequest {
  /** The changes of a valid token's header; `undefined` leaves a parameter out. */
  readonly header?: Members | ((issuer: Issuer) => Members);
  /** The changes of a valid token's claims; `undefined` leaves a claim out. */
  readonly claims?: Members | ((issuer: Issuer) => Members);
  /** Signs the token in place of the issuer's key. */
  readonly key?: SigningKey;
  /** The Authorization header, if it is not `Bearer` and a valid token with these changes. */
  readonly authorization?: (issuer: Issuer) => AuthorizationHeader;
}

/** The header's value; a list for a repeated header, undefined for no header. */
type AuthorizationHeader = string | string[] | undefined;

type Members = Readonly<Record<string, unknown>>;

type CaseDecision =
  | { readonly title: `allows ${string}`; readonly decision: 'allowed' }
  /** `no-identity`: the gateway refuses the request, and does not invoke the authorizer. */
  | { readonly title: `denies ${string}`; readonly decision: DenialReason | 'no-identity' }
  /** The authorizer throws. */
  | { readonly title: `cannot decide ${string}`; readonly decision: 'undecided' };

/** The Authorization header of a case, for a service that trusts this issuer. */
export const authorizationOf = (request: AuthorizationCase, issuer: Issuer): AuthorizationHeader => {
  if (request.authorization !== undefined) return request.authorization(issuer);
  const header = membersFor(issuer, request.header);
  const claims = membersFor(issuer, request.claims);
  return `Bearer ${issuer.token({ header, claims, key: request.key ?? issuer.key })}`;
};

const membersFor = (issuer: Issuer, members: CaseRequest['claims'] = {}): Members =>
  typeof members === 'function' ? members(issuer) : members;

/** The cases of a stage, with its differences from a stage with the profile rfc9068. */
export interface StageCases {
  readonly stage: string;
  /** The differences of its authorizer's environment variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The differences of its valid tokens. */
  readonly valid?: { readonly header?: Members; readonly claims?: Members };
  /** Whether the issuer is unreachable, so that there is no key set. */
  readonly isIssuerDown?: true;
  readonly cases: readonly AuthorizationCase[];
}

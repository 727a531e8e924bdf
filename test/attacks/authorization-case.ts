import type { DenialReason } from '../../functions/authorizer/denial.ts';
import type { Issuer } from '../support/issuer.ts';
import type { SigningKey } from '../support/tokens.ts';

/** A request with an Authorization header, and the authorizer's decision on it, which the title states. */
export type Attack = AttackRequest & AttackDecision;

interface AttackRequest {
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

type AttackDecision =
  | { readonly title: `allows ${string}`; readonly decision: 'allowed' }
  /** `no-identity`: the gateway refuses the request, and does not invoke the authorizer. */
  | { readonly title: `denies ${string}`; readonly decision: DenialReason | 'no-identity' }
  /** The authorizer throws. */
  | { readonly title: `cannot decide ${string}`; readonly decision: 'undecided' };

/** The Authorization header of an attack on a service that trusts this issuer. */
export const authorizationOf = (attack: Attack, issuer: Issuer): AuthorizationHeader => {
  if (attack.authorization !== undefined) return attack.authorization(issuer);
  const header = membersFor(issuer, attack.header);
  const claims = membersFor(issuer, attack.claims);
  return `Bearer ${issuer.token({ header, claims, key: attack.key ?? issuer.key })}`;
};

const membersFor = (issuer: Issuer, members: AttackRequest['claims'] = {}): Members =>
  typeof members === 'function' ? members(issuer) : members;

/** A stage whose settings differ from those of a stage with the profile rfc9068, and the attacks on it. */
export interface StageAttacks {
  readonly stage: string;
  /** The differences of its authorizer's environment variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The differences of its valid tokens. */
  readonly valid?: { readonly header?: Members; readonly claims?: Members };
  /** Whether the issuer is unreachable, so that there is no key set. */
  readonly isIssuerDown?: true;
  readonly attacks: readonly Attack[];
}

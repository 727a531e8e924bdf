/** Why a caller is turned away; the only thing about a token that is logged, beside its `kid`. */
export type DenialReason =
  | 'not-a-bearer-token'
  | 'not-a-signed-token'
  | 'algorithm'
  | 'critical-header'
  | 'token-type'
  | 'unknown-key'
  | 'unusable-key'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'client'
  | 'token-use'
  | 'lifetime'
  | 'subject'
  | 'groups';

/** The caller may not come in; anything else thrown means that nobody could decide. */
export class Denied extends Error {
  override readonly name = 'Denied';
  readonly reason: DenialReason;
  /** The key the token names, where that is what is wrong. */
  readonly kid: string | undefined;

  constructor(reason: DenialReason, options?: ErrorOptions & { readonly kid?: string | undefined }) {
    super(reason, options);
    this.reason = reason;
    this.kid = options?.kid;
  }
}

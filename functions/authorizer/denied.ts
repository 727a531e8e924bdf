/** Why a caller is denied. Of a token, only this and its `kid` are logged. */
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

/** The caller is denied. Any other error means that no decision was possible. */
export class Denied extends Error {
  override readonly name = 'Denied';
  readonly reason: DenialReason;
  /** The key id in the token, when no key has it. */
  readonly kid: string | undefined;

  constructor(reason: DenialReason, options?: ErrorOptions & { readonly kid?: string | undefined }) {
    super(reason, options);
    this.reason = reason;
    this.kid = options?.kid;
  }
}

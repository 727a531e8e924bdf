/** Reasons to deny a token without a verified signature of the issuer. Anyone can cause these denials. */
type UnsignedTokenDenial =
  'not-a-bearer-token' | 'not-a-signed-token' | 'algorithm' | 'unknown-key' | 'signature';

/** Reasons to deny a token that the issuer signed. */
export const signedTokenDenials = [
  'issuer',
  'token-type',
  'key-bound',
  'audience',
  'client',
  'scope',
  'token-use',
  'lifetime',
  'subject',
  'groups',
] as const;

/** Why the authorizer denies a token. */
export type DenialReason = UnsignedTokenDenial | (typeof signedTokenDenials)[number];

/** The caller is denied. Any other error means that no decision was possible. */
export class Denied extends Error {
  readonly reason: DenialReason;
  /** The unknown key id, cut to 64 printable characters, so that it cannot imitate a log line. */
  readonly kid: string | undefined;

  constructor(reason: DenialReason, kid?: unknown) {
    super(reason);
    this.reason = reason;
    this.kid = typeof kid === 'string' ? kid.slice(0, 64).replaceAll(/[^ -~]/g, '?') : undefined;
  }
}

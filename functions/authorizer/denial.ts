import type { DenialReason } from '../runtime/log-events.ts';

/** The caller is denied. Any other error means that no decision was possible. */
export class Denied extends Error {
  readonly reason: DenialReason;
  /** The unknown key id: at most 64 printable characters, so it cannot imitate a log line. */
  readonly kid: string | undefined;

  constructor(reason: DenialReason, kid?: unknown) {
    super(reason);
    this.reason = reason;
    this.kid = typeof kid === 'string' ? kid.slice(0, 64).replaceAll(/[^ -~]/g, '?') : undefined;
  }
}

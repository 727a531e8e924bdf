import { url as debuggerUrl } from 'node:inspector';

/** A timeout in milliseconds: a day while debugging, because a debugger can pause a process for hours. */
export const timeoutMs = (seconds: number): number =>
  debuggerUrl() === undefined ? seconds * 1000 : 24 * 3_600_000;

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setInterval } from 'node:timers';

/** A program that has ended. */
export interface MeasuredProcess {
  /** Null after SIGKILL. */
  readonly code: number | null;
  readonly seconds: number;
  readonly peakMegabytes: number;
  /** Standard error, line by line. */
  readonly messages: readonly string[];
}

/** Runs a program, and measures its time and its peak memory. Its standard output is discarded. */
export const measureProcess = async ([
  program = '',
  ...parameters
]: readonly string[]): Promise<MeasuredProcess> => {
  const start = performance.now();
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  const messages: string[] = [];
  createInterface(child.stderr).on('line', (line) => messages.push(line));
  let peak = 0;
  // The kernel's own high-water mark, which only grows.
  const watch = setInterval(() => {
    peak = Math.max(peak, highWaterMark(child.pid));
  }, 20);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  clearInterval(watch);
  const seconds = Number(((performance.now() - start) / 1000).toFixed(1));
  return { code, seconds, peakMegabytes: Math.round(peak / 1000), messages };
};

const highWaterMark = (pid: number | undefined): number => {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    // The process has just ended.
    return 0;
  }
};

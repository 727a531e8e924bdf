// Linux reports the process alone; elsewhere getrusage(2) is used.
const script = `
  import { existsSync, readFileSync } from 'node:fs';
  process.once('exit', () => {
    const own = existsSync('/proc/self/status') && /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
    console.error('peak ' + (own || process.resourceUsage().maxRSS) + ' kB');
  });
`;

/** The environment in which a command prints its peak memory as its last message. */
export const printPeakMemory = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
} as const;

/** In kilobytes; NaN when it was not printed. */
export const peakMemory = (messages: readonly string[]): number =>
  Number(/^peak (\d+) kB$/.exec(messages.at(-1) ?? '')?.[1]);

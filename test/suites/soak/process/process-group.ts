import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What the processes of a command hold; sizes in bytes. */
export interface GroupUsage {
  readonly rss: number;
  /** The sum of the most that each process has held. */
  readonly peakRss: number;
  readonly sockets: number;
}

/** Adds up what the processes of a process group hold. */
export const groupUsage = (group: number): GroupUsage => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && groupOf(name) === group);
  const sum = (value: (pid: string) => number): number =>
    pids.reduce((total, pid) => total + orZero(() => value(pid)), 0);
  return {
    rss: sum((pid) => sizeOf(pid, 'VmRSS')),
    peakRss: sum((pid) => sizeOf(pid, 'VmHWM')),
    sockets: sum(socketsOf),
  };
};

/** A process may end at any time. */
const orZero = (read: () => number): number => {
  try {
    return read();
  } catch {
    return 0;
  }
};

/** The name of the program, in parentheses, may hold spaces. */
const groupOf = (pid: string): number =>
  orZero(() => Number(/.*\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]));

const sizeOf = (pid: string, field: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1024;
};

/** Counts the open sockets of a process. */
export const socketsOf = (pid: string): number =>
  readdirSync(`/proc/${pid}/fd`).filter((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith('socket:');
    } catch {
      // Such as the descriptor of the folder itself.
      return false;
    }
  }).length;

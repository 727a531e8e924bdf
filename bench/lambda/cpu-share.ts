import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Limits a process to a share of a processor. */
export type LimitCpu = (pid: number) => void;

/** AWS: "Configure Lambda function memory". */
const memoryMbOfOneCpu = 1769;
const periodUs = 20_000;
/** Only version 1 of control groups has a folder for each controller. */
const version1 = '/sys/fs/cgroup/cpu';

/**
 * Makes a control group with the share of a processor that Lambda gives a function while it responds.
 * @returns undefined if this user cannot make a control group
 */
export const cpuShareOf = (memoryMb: number): LimitCpu | undefined => {
  const isVersion1 = existsSync(version1);
  const group = join(isVersion1 ? version1 : '/sys/fs/cgroup', `plant-store-bench-${String(memoryMb)}`);
  const quotaUs = String(Math.round((memoryMb / memoryMbOfOneCpu) * periodUs));
  const write = (file: string, value: string): void => {
    writeFileSync(join(group, file), value);
  };
  const remove = (): void => {
    try {
      rmdirSync(group);
    } catch {
      // A process in the group may not have ended yet. The next run uses the group again.
    }
  };
  try {
    mkdirSync(group, { recursive: true });
    process.once('exit', remove);
    if (isVersion1) {
      write('cpu.cfs_period_us', String(periodUs));
      write('cpu.cfs_quota_us', quotaUs);
    } else {
      write('cpu.max', `${quotaUs} ${String(periodUs)}`);
    }
  } catch {
    return undefined;
  }
  return (pid) => {
    write('cgroup.procs', String(pid));
  };
};

import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryMb } from '../environment.ts';

/** A control group with the share of a processor that Lambda gives the list function while it responds. */
export interface CpuShare {
  readonly add: (pid: number) => void;
  readonly end: () => void;
}

/** AWS: "Configure Lambda function memory": one vCPU at 1,769 MB. */
export const vCpus = memoryMb / 1769;
const periodUs = 20_000;
const quotaUs = Math.round(vCpus * periodUs);

const version1 = '/sys/fs/cgroup/cpu';
const name = `plant-store-${String(process.pid)}`;

/** @returns undefined where this process cannot make a control group */
export const makeCpuShare = (): CpuShare | undefined => {
  const isVersion1 = existsSync(version1);
  const group = join(isVersion1 ? version1 : '/sys/fs/cgroup', name);
  const write = (file: string, value: string): void => {
    writeFileSync(join(group, file), value);
  };
  try {
    mkdirSync(group);
    if (isVersion1) {
      write('cpu.cfs_period_us', String(periodUs));
      write('cpu.cfs_quota_us', String(quotaUs));
    } else {
      write('cpu.max', `${String(quotaUs)} ${String(periodUs)}`);
    }
  } catch {
    return undefined;
  }
  return {
    add: (pid) => {
      write('cgroup.procs', String(pid));
    },
    // Only an empty group can be removed.
    end: () => {
      rmdirSync(group);
    },
  };
};

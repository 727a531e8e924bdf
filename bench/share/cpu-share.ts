import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group with the share of a processor that Lambda gives a function while it responds. */
export interface CpuShare {
  readonly memoryMb: number;
  readonly add: (pid: number) => void;
  /** Also runs at the end of this process. What runs in the group must have been ended. */
  readonly end: () => void;
}

/** AWS: "Configure Lambda function memory": one vCPU at 1,769 MB. */
const vCpusOf = (memoryMb: number): number => memoryMb / 1769;

const periodUs = 20_000;
/** Only version 1 of control groups has a folder for each kind of limit. */
const version1 = '/sys/fs/cgroup/cpu';

/** @returns undefined where this process cannot make a control group */
export const makeCpuShare = (memoryMb: number): CpuShare | undefined => {
  const isVersion1 = existsSync(version1);
  const parent = isVersion1 ? version1 : '/sys/fs/cgroup';
  const group = join(parent, `plant-store-${String(process.pid)}-${String(memoryMb)}`);
  const quotaUs = String(Math.round(vCpusOf(memoryMb) * periodUs));
  const write = (file: string, value: string): void => {
    writeFileSync(join(group, file), value);
  };
  try {
    mkdirSync(group);
  } catch {
    return undefined;
  }
  try {
    if (isVersion1) {
      write('cpu.cfs_period_us', String(periodUs));
      write('cpu.cfs_quota_us', quotaUs);
    } else {
      write('cpu.max', `${quotaUs} ${String(periodUs)}`);
    }
  } catch {
    rmdirSync(group);
    return undefined;
  }
  const end = (): void => {
    process.off('exit', end);
    remove(group);
  };
  process.once('exit', end);
  return {
    memoryMb,
    add: (pid) => {
      write('cgroup.procs', String(pid));
    },
    end,
  };
};

const pauses = { ms: 10, most: 200 };

/** Only an empty group can be removed, and a process that was ended leaves it a little later. */
const remove = (group: string): void => {
  for (let pause = 1; ; pause += 1) {
    try {
      rmdirSync(group);
      return;
    } catch (error) {
      if (pause > pauses.most) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, pauses.ms);
  }
};

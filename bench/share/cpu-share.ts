import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group with the share of a processor that Lambda gives a function while it responds. */
export interface CpuShare extends Disposable {
  readonly memoryMb: number;
  readonly add: (pid: number) => void;
}

/** AWS: "Configure Lambda function memory": one vCPU at 1,769 MB. */
const vCpusOf = (memoryMb: number): number => memoryMb / 1769;

const periodUs = 20_000;
/** Only version 1 of control groups has a folder for each controller. */
const version1 = '/sys/fs/cgroup/cpu';

/** Whether this user can make control groups. */
export const canLimitCpu = (): boolean => {
  try {
    makeCpuShare(1769)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
};

/** Makes a group. Its disposal, or the exit of this process, removes it: after its processes have ended. */
export const makeCpuShare = (memoryMb: number): CpuShare => {
  const isVersion1 = existsSync(version1);
  const name = `plant-store-${String(process.pid)}-${String(memoryMb)}`;
  const group = join(isVersion1 ? version1 : '/sys/fs/cgroup', name);
  const write = (file: string, value: string): void => {
    writeFileSync(join(group, file), value);
  };
  mkdirSync(group);
  const remove = (): void => {
    process.off('exit', remove);
    removeGroup(group);
  };
  process.once('exit', remove);
  const quotaUs = String(Math.round(vCpusOf(memoryMb) * periodUs));
  if (isVersion1) {
    write('cpu.cfs_period_us', String(periodUs));
    write('cpu.cfs_quota_us', quotaUs);
  } else {
    write('cpu.max', `${quotaUs} ${String(periodUs)}`);
  }
  return {
    memoryMb,
    add: (pid) => {
      write('cgroup.procs', String(pid));
    },
    [Symbol.dispose]: remove,
  };
};

const pauses = { ms: 10, most: 200 };

/** A killed process leaves its group a little later, and only an empty group can be removed. */
const removeGroup = (group: string): void => {
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

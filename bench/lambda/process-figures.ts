import { readdirSync, readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time since the start, in user and system mode, of all threads; none ends
 * meanwhile. From `schedstat`, which counts nanoseconds; `stat` counts hundredths of a second.
 */
export const cpuMsOf = (pid: number): number => {
  const tasks = `/proc/${String(pid)}/task`;
  return readdirSync(tasks).reduce(
    (sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  );
};

/** Peak memory in MB. */
export const peakRssMbOf = (pid: number): number => {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
};

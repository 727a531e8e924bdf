import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Ends every process that this one started, directly or not, and that still runs. */
export const endDescendants = async (): Promise<void> => {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): readonly number[] =>
    processes.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...childrenOf(pid)] : []));
  for (const pid of childrenOf(process.pid)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended, for example `ps` itself.
    }
  }
};

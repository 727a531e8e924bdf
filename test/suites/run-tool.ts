import { execFile } from 'node:child_process';

/** Runs a tool until it ends. The promise resolves with any exit code. */
export const runTool = (
  command: string,
  parameters: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<{ readonly succeeded: boolean; readonly stdout: string; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(command, parameters, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ succeeded: error === null, stdout, output: stdout + stderr });
    });
  });

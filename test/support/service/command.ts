import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** A running command. */
export interface Command {
  readonly process: ChildProcess;
  /** The output of both streams so far. */
  readonly output: () => string;
  /** Waits until the output contains this text. */
  readonly printed: (text: string) => Promise<void>;
  /** Resolves when the command has exited. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Runs a command in a folder, in its own process group as in a terminal. */
export const runCommand = (
  program: string,
  folder: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Command => {
  const child = spawn(program, parameters, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => {
      resolve({ code, output });
    });
  });
  const printed = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      const result = await Promise.race([ended, delay(20, undefined)]);
      if (result !== undefined && !output.includes(text))
        throw new Error(
          `${program} ended with ${String(result.code)} before it printed "${text}":\n${output}`,
        );
    }
  };
  return { process: child, output: () => output, printed, ended };
};

/** Sends a signal to a command and all its children, as Ctrl-C in a terminal does. */
export const signalGroup = ({ process: { pid } }: Command, signal: NodeJS.Signals): void => {
  if (pid !== undefined) process.kill(-pid, signal);
};

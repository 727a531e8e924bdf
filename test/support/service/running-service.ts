import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readService, type Service } from '../../../terminal/local-service.ts';
import { projectFiles } from '../markdown.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** A copy of the project that tests can edit, and run beside a developer's service. */
export interface ProjectCopy {
  readonly folder: string;
  /**
   * Replaces the first occurrence of a text in a file.
   * @returns a function that restores the file
   */
  readonly edit: (file: string, text: string, replacement: string) => () => void;
  readonly remove: () => void;
}

export const copyProject = (): ProjectCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  for (const file of projectFiles()) cpSync(join(project, file), join(folder, file));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    edit: (file, text, replacement) => {
      const path = join(folder, file);
      const before = readFileSync(path, 'utf8');
      if (!before.includes(text)) throw new Error(`${file} does not contain ${text}.`);
      writeFileSync(path, before.replace(text, replacement));
      return () => {
        writeFileSync(path, before);
      };
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A running command. */
export interface Command {
  readonly process: ChildProcess;
  /** The output so far, of both streams. */
  readonly output: () => string;
  /** Waits until the output contains this text. */
  readonly printed: (text: string) => Promise<void>;
  /** Resolves when it has exited. */
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

/** A running `npm start`, or another command that starts the service. */
export interface LocalService extends Service {
  readonly command: Command;
  /** Stops it as Ctrl-C does, if it is still running. */
  readonly stop: () => Promise<void>;
}

/** Starts the service on free ports, by default without npm, and waits until it is ready. */
export const startService = async (
  { folder }: Pick<ProjectCopy, 'folder'>,
  environment: Readonly<Record<string, string>> = {},
  [program, ...parameters]: readonly [string, ...string[]] = ['bin/run', 'node', 'local/main.ts'],
): Promise<LocalService> => {
  const command = runCommand(program, folder, parameters, { ...freePorts, ...environment });
  await command.printed('Stop with Ctrl-C.');
  const service = readService(join(folder, '.local/service.json'));
  if (service === undefined) throw new Error(`The service file is missing or damaged:\n${command.output()}`);
  return {
    ...service,
    command,
    stop: async () => {
      const { exitCode, signalCode } = command.process;
      if (exitCode === null && signalCode === null) signalGroup(command, 'SIGINT');
      await command.ended;
    },
  };
};

export const freePorts = { PORT: '0', STORE_PORT: '0', ISSUER_PORT: '0' } as const;

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** What a lane needs beside this project: a server that runs, or a tool that is installed. */
export interface Engine {
  /** Its own name and version. */
  readonly version: string;
  /** How to reach it, as environment variables for the tests. */
  readonly variables: Readonly<Record<string, string>>;
  /** False once a server has ended by itself. */
  readonly isAlive: () => boolean;
  readonly down: () => Promise<void>;
}

/** An engine did not come up; the message is one sentence that says which and why. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** It cannot run on this machine, which is not the project's fault. */
  readonly missing: boolean;

  constructor(message: string, missing: boolean) {
    super(message);
    this.missing = missing;
  }
}

/** The exit code of an engine's script for "cannot run on this machine" (as in Automake's test protocol). */
const missingCode = 77;

const failed = z.object({ code: z.number().nullish(), stderr: z.string() });

/**
 * Installs and starts an engine by its script in this folder.
 * @throws {EngineError} when it does not come up; nothing of it is left running then
 */
export const bringUp = async (engine: string): Promise<Engine> => {
  const script = (command: string): Promise<{ stdout: string }> =>
    promisify(execFile)(fileURLToPath(new URL(`systems/${engine}.sh`, import.meta.url)), [command]);
  const { stdout } = await script('up').catch((error: unknown) => {
    const { code, stderr } = failed.parse(error);
    throw new EngineError(stderr.trim().split('\n').at(-1) ?? engine, code === missingCode);
  });
  const { VERSION: version = engine, ...settings } = Object.fromEntries(
    stdout.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
  const prefix = engine.toUpperCase().replaceAll('-', '_');
  const pid = pidOf(engine);
  return {
    version,
    variables: Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`${prefix}_${name}`, value]),
    ),
    isAlive: () => pid === undefined || exists(pid),
    down: async () => {
      await script('down');
    },
  };
};

const pidOf = (engine: string): number | undefined => {
  try {
    return Number.parseInt(readFileSync(join(project, '.local/external', engine, 'pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
};

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

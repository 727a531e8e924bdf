import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** A server that runs, or a tool that is installed. */
export interface ExternalSystem {
  /** Its name and version. */
  readonly version: string;
  /** How to reach it, as environment variables for the tests. */
  readonly variables: Readonly<Record<string, string>>;
  /** False once a server has ended unexpectedly. */
  readonly isAlive: () => boolean;
  readonly down: () => Promise<void>;
}

/** A system did not start. The message is one sentence that says which one and why. */
export class ExternalSystemError extends Error {
  override readonly name = 'ExternalSystemError';
  /** It cannot run on this machine, which is no failure of the project. */
  readonly missing: boolean;

  constructor(message: string, missing: boolean) {
    super(message);
    this.missing = missing;
  }
}

/** The exit code of a script for "cannot run on this machine" (as in Automake's test protocol). */
const missingCode = 77;

const failed = z.object({ code: z.number().nullish(), stderr: z.string() });

/** The systems that are one package of PyPI share a script. */
const scriptOf = (name: string): string => {
  const own = fileURLToPath(new URL(`../systems/${name}.sh`, import.meta.url));
  return existsSync(own) ? own : fileURLToPath(new URL('../systems/python-package.sh', import.meta.url));
};

/**
 * Installs and starts a system by its script.
 * @param environment variables for the script, such as those of a system that it uses
 * @throws {ExternalSystemError} when it does not start; nothing of it is left running then
 */
export const bringUp = async (
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ExternalSystem> => {
  const script = (command: string): Promise<{ stdout: string }> =>
    promisify(execFile)(scriptOf(name), [command, name], { env: { ...process.env, ...environment } });
  const { stdout } = await script('up').catch((error: unknown) => {
    const { code, stderr } = failed.parse(error);
    throw new ExternalSystemError(stderr.trim().split('\n').at(-1) ?? name, code === missingCode);
  });
  const { VERSION: version = name, ...settings } = Object.fromEntries(
    [...stdout.matchAll(/^(\w+)=(.*)$/gm)].map(([, variable = '', value = '']) => [variable, value]),
  );
  const prefix = name.toUpperCase().replaceAll('-', '_');
  const pid = pidOf(name);
  return {
    version,
    variables: Object.fromEntries(
      Object.entries(settings).map(([variable, value]) => [`${prefix}_${variable}`, value]),
    ),
    isAlive: () => pid === undefined || exists(pid),
    down: async () => {
      await script('down');
    },
  };
};

const pidOf = (name: string): number | undefined => {
  const file = join(project, '.local/external', name, 'pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
};

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

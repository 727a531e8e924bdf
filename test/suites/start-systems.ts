import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { z } from 'zod';
import { suites } from './suites.ts';

/** The exit code of a script whose system cannot run on this machine (as in Automake's test protocol). */
const missingCode = 77;

const failure = z.object({ code: z.number().nullish(), stderr: z.string() });

/**
 * Installs and starts the systems of a suite before its tests, and sets environment variables that begin with
 * a system's name, such as MINISTACK_ENDPOINT. If this machine cannot run one of the systems, all tests of
 * the suite are skipped.
 * @returns a function that stops the systems after the tests
 * @throws {Error} when a system does not start; its message says which one and why
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const runningSystems: string[] = [];
  const stopSystems = async (): Promise<void> => {
    for (const name of runningSystems.toReversed()) await runScript('down', name, project.name);
  };
  for (const name of suites.find((suite) => suite.name === project.name)?.systems ?? []) {
    try {
      const settings = (await runScript('up', name, project.name)).matchAll(/^(\w+)=(.*)$/gm);
      runningSystems.push(name);
      const prefix = name.toUpperCase().replaceAll('-', '_');
      for (const [, variable = '', value] of settings) {
        if (variable === 'VERSION') console.log(`${project.name} uses ${value ?? name}.`);
        else process.env[`${prefix}_${variable}`] = value;
      }
    } catch (error) {
      const { code, stderr } = failure.parse(error);
      const reason = stderr.trim().split('\n').at(-1);
      if (code !== missingCode) {
        await stopSystems();
        throw new Error(reason);
      }
      console.error(`${project.name} is skipped: ${reason ?? name}`);
      // The pattern matches no title, so that all tests are skipped.
      project.vitest.setGlobalTestNamePattern(/(?!)/);
      break;
    }
  }
  return stopSystems;
};

const runScript = async (command: 'up' | 'down', name: string, suite: string): Promise<string> => {
  const script = (file: string): string => fileURLToPath(new URL(`systems/${file}.sh`, import.meta.url));
  // Systems that are a single package share a script.
  const file = existsSync(script(name)) ? script(name) : script('package');
  return (await promisify(execFile)(file, [command, name, suite])).stdout;
};

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { UserError } from '../../terminal/user-error.ts';
import { projectFolder } from '../project.ts';
import { readStack, type Stack } from './stack.ts';
import { stateFolder } from '../service-file.ts';

/** The one with addresses of this machine. */
const stage = 'local';
/** Where CDK puts the synthesized stack. */
const assembly = join(projectFolder, 'cdk.out');

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

let synthesis: ChildProcess | undefined;

/**
 * Synthesizes and bundles the stack that runs on this machine.
 * @throws {UserError} one line with the first error that was printed
 */
export const synthesize = async (): Promise<Stack> => {
  makeAssemblyFolder();
  const child = spawn(
    process.execPath,
    [cdk, 'synth', '--context', `stage=${stage}`, '--quiet', '--output', assembly],
    {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that the app and esbuild can be ended with it.
      detached: true,
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    },
  );
  synthesis = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((settle, reject) => {
    child.once('error', reject).once('close', settle);
  });
  synthesis = undefined;
  if (code !== 0) {
    const log = join(stateFolder, 'synth.log');
    writeFileSync(log, output);
    throw new UserError(
      `The stack could not be synthesized: ${firstProblem(output)} (everything cdk printed: ${log})`,
    );
  }
  // The functions' bundles are CommonJS, as on Lambda, where no package.json is around them.
  writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}\n');
  return readStack(assembly, `PlantStore-${stage}`);
};

/** Ends a synthesis under way, and then this process; without one, this process at once. */
export const exitWithSynthesis = (): void => {
  if (synthesis?.exitCode !== null || synthesis.signalCode !== null) process.exit(0);
  // Not before it is seen to have ended: CDK takes its lock on the folder for held while the process is still listed.
  synthesis.once('exit', () => process.exit(0));
  endSynthesis();
};

const endSynthesis = (): void => {
  try {
    if (synthesis?.pid !== undefined) process.kill(-synthesis.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};
// However this process ends, a failed start among the ways.
process.once('exit', endSynthesis);

const makeAssemblyFolder = (): void => {
  try {
    mkdirSync(assembly, { recursive: true });
    accessSync(assembly, constants.W_OK);
  } catch {
    throw new UserError(
      `${assembly} must be a folder that can be written to. Remove it or change its permissions.`,
    );
  }
};

/** The first of: esbuild's error with its place, a refused stage, a finding of CDK's rules, any error's message. */
const firstProblem = (output: string): string => {
  const [, problem, place] = /\[ERROR\] (.+)\s+(\S+:\d+:\d+):/.exec(output) ?? [];
  if (problem !== undefined && place !== undefined) return `${place}: ${problem}`;
  return (
    /^Stage ".+$/m.exec(output)?.[0] ??
    /^(?:ERROR|WARNING) .+$/m.exec(output)?.[0] ??
    /^\w*Error\b.*: .+$/m.exec(output)?.[0] ??
    output.trim().split('\n').at(-1) ??
    'cdk printed nothing'
  );
};

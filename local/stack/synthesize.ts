import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { UserError } from '../../terminal/user-error.ts';
import { projectFolder } from '../project.ts';
import { stateFolder } from '../service-file.ts';
import { readStack, type Stack } from './read-stack.ts';

/** The stage with addresses of this machine. */
const stage = 'local';
/** Where CDK writes the synthesized stack. */
const assembly = join(projectFolder, 'cdk.out');

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

/**
 * Synthesizes the stack that runs on this machine. The processes for it end with this one.
 * @throws {UserError} of one line when the folder for it cannot be written to, or with the first error that was printed
 */
export const synthesize = async (): Promise<Stack> => {
  makeAssemblyFolder();
  const child = spawn(
    process.execPath,
    [cdk, 'synth', '--context', `stage=${stage}`, '--quiet', '--output', assembly],
    {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that the app and esbuild can be killed with it.
      detached: true,
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    },
  );
  const kill = (): void => {
    // CDK treats its lock on the folder as held while the process that acquired it exists.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) {
    const log = join(stateFolder, 'synth.log');
    writeFileSync(log, output);
    throw new UserError(
      `The stack could not be synthesized: ${firstProblem(output)} (complete output of cdk: ${log}).`,
    );
  }
  // The functions' bundles are CommonJS, as on Lambda, where there is no package.json.
  writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}\n');
  return readStack(assembly, `PlantStore-${stage}`);
};

const makeAssemblyFolder = (): void => {
  try {
    mkdirSync(assembly, { recursive: true });
    accessSync(assembly, constants.W_OK);
  } catch {
    throw new UserError(`${assembly} must be a writable folder. Remove it or change its permissions.`);
  }
};

/** The first of: an error of esbuild with its place, an invalid stage, a finding of CDK's rules, any error's message. */
const firstProblem = (output: string): string => {
  const [, problem, place] = /\[ERROR\] (.+)\s+(\S+:\d+:\d+):/.exec(output) ?? [];
  if (problem !== undefined && place !== undefined) return `${place}: ${problem}`;
  return (
    /^Stage ".+$/m.exec(output)?.[0] ??
    /^(?:ERROR|WARNING) .+$/m.exec(output)?.[0] ??
    thrown(output) ??
    output.trim().split('\n').at(-1) ??
    'cdk printed nothing'
  );
};

/** What Node prints about an error that nothing caught: the place first, the error below the line of code. */
const thrown = (output: string): string | undefined => {
  const [error] = /^\w*Error\b.*: .+$/m.exec(output) ?? [];
  const [, place] = /^(?:file:\/\/)?(\/\S+:\d+)$/m.exec(output) ?? [];
  return place === undefined ? error : error && `${place}: ${error}`;
};

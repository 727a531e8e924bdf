import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { readProjectFile } from '../../support/project-files.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { region } from '../../support/table/dynamodb-table.ts';
import { rootKeys } from '../emulator.ts';
import { runTool } from '../run-tool.ts';

export const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);
const aws = z.string().parse(process.env['AWS_CLI_COMMAND']);

/** The commands of the AWS CLI and of npm in the sentences of a document, outside its blocks. */
export const commandsInSentences = (document: string): readonly string[] =>
  [
    ...readProjectFile(document)
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/`((?:aws|npm run) [^`]+)`/g),
  ].map(([, command = '']) => command);

/** A checkout in which an operator works, with the real AWS CLI on the emulator. */
export interface OperatorShell {
  /**
   * Runs a script in a new bash.
   * @returns the standard output of the script
   * @throws {Error} unless the script ends with code 0
   */
  readonly run: (script: string, environment?: Readonly<Record<string, string>>) => Promise<string>;
  /** The commands in place of which stubs ran since the last `run`, one per line. */
  readonly calls: () => string;
  readonly remove: () => void;
}

/**
 * Makes a checkout for an operator.
 * @param stubs the scripts that run in place of commands, and whose calls are recorded
 */
export const operatorShell = (stubs: Readonly<Record<string, string>>): OperatorShell => {
  const { folder, remove } = copyProject();
  mkdirSync(join(folder, 'stubs'));
  symlinkSync(aws, join(folder, 'stubs/aws'));
  for (const [command, script] of Object.entries(stubs)) {
    const file = join(folder, 'stubs', command);
    writeFileSync(file, `#!/usr/bin/env bash\necho "${command} $*" >>"$CALLS"\n${script}\n`, { mode: 0o755 });
  }
  const callsFile = join(folder, 'calls');
  return {
    remove,
    calls: () => readFileSync(callsFile, 'utf8'),
    run: async (script, environment = {}) => {
      writeFileSync(callsFile, '');
      const { succeeded, stdout, output } = await runTool('bash', ['--norc', '-c', script], {
        cwd: folder,
        env: {
          PATH: `${join(folder, 'stubs')}${delimiter}${process.env['PATH'] ?? ''}`,
          HOME: folder,
          CALLS: callsFile,
          AWS_ENDPOINT_URL: endpoint,
          // Version 1 of the AWS CLI does not read AWS_REGION.
          AWS_REGION: region,
          AWS_DEFAULT_REGION: region,
          AWS_ACCESS_KEY_ID: rootKeys.accessKeyId,
          AWS_SECRET_ACCESS_KEY: rootKeys.secretAccessKey,
          ...environment,
        },
      });
      if (!succeeded) throw new Error(output);
      return stdout;
    },
  };
};

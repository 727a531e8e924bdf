import { join } from 'node:path';
import { readService, type Service } from '../../../terminal/local-service.ts';
import { type Command, runCommand, signalGroup } from './command.ts';
import type { ProjectCopy } from './project-copy.ts';

/** Variables with which the system chooses free ports. */
export const freePorts = { PORT: '0', STORE_PORT: '0', ISSUER_PORT: '0' } as const;

/** A running `npm start`, or another command that starts the service. */
export interface LocalService extends Service {
  readonly command: Command;
  /** Stops the service as Ctrl-C does, if it is still running. */
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

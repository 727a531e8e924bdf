import { plantsCommand } from '../../test/support/plants-command.ts';
import { type MeasuredProcess, measureProcess } from '../measured-process.ts';

/** A measured command. */
export interface MeasuredCommand {
  readonly store: string;
  readonly command: string;
  readonly seconds: number;
  readonly peakMegabytes: number;
  /** How many lines of progress there were, and the last line of all. */
  readonly progressLines: number;
  readonly lastLine: string;
}

/** Runs commands of the operator's command line, and keeps what they took. */
export interface Commands {
  readonly endpoint: string;
  /**
   * @param name the command, and for the results what is special
   * @throws when its exit code is not 0
   */
  readonly run: (name: string, table: string, parameters: readonly string[]) => Promise<MeasuredProcess>;
  readonly measured: () => readonly MeasuredCommand[];
}

/** The command line's program and parameters. */
export const plantsIn = (
  endpoint: string,
  table: string,
  command: string,
  parameters: readonly string[],
): readonly string[] => [...plantsCommand, command, ...parameters, '--table', table, '--endpoint', endpoint];

export const commandsOf = (store: string, endpoint: string): Commands => {
  const measured: MeasuredCommand[] = [];
  return {
    endpoint,
    run: async (name, table, parameters) => {
      const [command = ''] = name.split(' ');
      const result = await measureProcess(plantsIn(endpoint, table, command, parameters));
      const { code, seconds, peakMegabytes, messages } = result;
      if (code !== 0) throw new Error([`${name} ended with ${String(code)}.`, ...messages].join('\n'));
      const progressLines = messages.filter((line) => line.includes('rows/s')).length;
      const lastLine = messages.at(-1) ?? '';
      measured.push({ store, command: name, seconds, peakMegabytes, progressLines, lastLine });
      console.error(measured.at(-1));
      return result;
    },
    measured: () => measured,
  };
};

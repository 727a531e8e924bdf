import { exitWith, UserError } from './user-error.ts';

/** Ends the process if it has an argument: prints the help text for `--help`, and refuses any other. */
export const takeNoArguments = (command: string, help: string): void => {
  const [argument] = process.argv.slice(2);
  if (argument === undefined) return;
  if (argument !== '--help' && argument !== '-h')
    exitWith(
      new UserError(`Unknown argument "${argument}". ${command} takes none; see ${command} -- --help.`),
    );
  console.log(help);
  process.exit();
};

import { exitWith, UserError } from './user-error.ts';

/** Ends the process if it has an argument: prints the help text for `--help`, and refuses any other. */
export const takeNoArguments = (command: string, help: string): void => {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  if (first !== '--help' && first !== '-h')
    exitWith(new UserError(`Unknown argument "${first}". ${command} takes none; see ${command} -- --help.`));
  console.log(help);
  process.exit();
};

import { endWith, UserError } from './user-error.ts';

/** Prints the help text of a command without arguments for `--help`; refuses any other argument. Both end the process. */
export const takeNoArguments = (command: string, help: string): void => {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  if (first !== '--help' && first !== '-h')
    endWith(new UserError(`Unknown argument "${first}". ${command} takes none; see ${command} -- --help.`));
  console.log(help);
  process.exit();
};

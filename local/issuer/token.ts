import { Command, InvalidArgumentError } from 'commander';
import { parserOutput, print } from '../../terminal/output.ts';
import { exitWith } from '../../terminal/user-error.ts';
import { runningService } from '../../terminal/local-service.ts';
import { readKey } from './signing-key.ts';
import { signToken } from './sign-token.ts';

/** Returns a parser of an argument. If the argument does not match, commander prints `problem`. */
const matching =
  (pattern: RegExp, problem: string) =>
  (argument: string): string => {
    if (pattern.test(argument)) return argument;
    throw new InvalidArgumentError(problem);
  };
const parseSeconds = matching(/^[1-9]\d{0,8}$/, 'It must be a whole number from 1 to 999999999.');
const parseName = matching(/./, 'It must not be empty.');
/** Collects the values of a repeated `--group`. */
const addGroup = (group: string, groups: readonly string[]): readonly string[] => [
  ...groups,
  parseName(group),
];

new Command('npm run -s token --')
  .configureOutput(parserOutput)
  .description('Prints a token of the local issuer, and nothing else.')
  .argument('<user>', 'name of the user (`sub`)', parseName)
  .option('--group <group>', 'a group of the user; can be repeated', addGroup, [])
  .option('--expires-in <seconds>', 'lifetime of the token', parseSeconds, '3600')
  .action(async (sub: string, options: { readonly group: readonly string[]; readonly expiresIn: string }) => {
    const { issuer: iss, audience: aud, keyFile } = runningService();
    const claims = { iss, aud, sub, groups: options.group };
    print(`${await signToken(readKey(keyFile), claims, `${options.expiresIn}s`)}\n`);
  })
  .parseAsync()
  .catch(exitWith);

import { Command, InvalidArgumentError } from 'commander';
import { parserOutput, print } from '../../terminal/output.ts';
import { exitWith } from '../../terminal/user-error.ts';
import { runningService } from '../../terminal/local-service.ts';
import { readKey, signToken } from './issuer-server.ts';

const matching =
  (pattern: RegExp, problem: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(problem);
  };
const seconds = matching(/^[1-9]\d{0,8}$/, 'It must be a whole number from 1 to 999999999.');
const name = matching(/./, 'It must not be empty.');
const collect = (group: string, groups: readonly string[]): readonly string[] => [...groups, name(group)];

new Command('npm run -s token --')
  .configureOutput(parserOutput)
  .description('Prints a token of the local issuer, and nothing else.')
  .argument('<user>', 'name of the user (`sub`)', name)
  .option('--group <group>', 'a group of the user; can be repeated', collect, [])
  .option('--expires-in <seconds>', 'lifetime of the token', seconds, '3600')
  .action(async (sub: string, options: { readonly group: readonly string[]; readonly expiresIn: string }) => {
    const { issuer: iss, audience: aud, keyFile } = runningService();
    const claims = { iss, aud, sub, groups: options.group };
    print(`${await signToken(readKey(keyFile), claims, `${options.expiresIn}s`)}\n`);
  })
  .parseAsync()
  .catch(exitWith);

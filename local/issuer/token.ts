import { Command, InvalidArgumentError } from 'commander';
import { print } from '../../cli/terminal/output.ts';
import { exitWith } from '../../cli/terminal/user-error.ts';
import { runningService } from '../service-file.ts';
import { readKey, signToken } from './issuer.ts';

const parseSubject = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
};

const parseLifetime = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999999.');
};

new Command('npm run -s token --')
  .configureOutput({ writeOut: print })
  .description('Prints a token of the local issuer, and nothing else.')
  .argument('<user>', 'name of the user (`sub`)', parseSubject)
  .option(
    '--group <group>',
    'a group of the user; can be repeated',
    (group, groups: readonly string[] | undefined) => [...(groups ?? []), group],
  )
  .option('--expires-in <seconds>', 'lifetime of the token', parseLifetime, 3600)
  .action((subject: string, options: { readonly group?: readonly string[]; readonly expiresIn: number }) => {
    const { issuer, audience, keyFile } = runningService();
    const { group: groups = [], expiresIn } = options;
    const claims = { iss: issuer, aud: audience, sub: subject, groups };
    print(`${signToken(readKey(keyFile), claims, expiresIn)}\n`);
  })
  .parseAsync()
  .catch(exitWith);

import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { maxNameBytes } from '../table/sort-key.ts';
import { endWith } from '../terminal/user-error.ts';
import { toUserError } from './to-user-error.ts';
import type { ExportOptions } from './export.ts';
import type { CheckOptions } from './check.ts';
import type { TableOptions } from './table/find-table.ts';
import type { ImportOptions } from './import.ts';
import type { GrantOptions } from './grant.ts';
import type { ListOptions } from './list.ts';
import type { RemoveOptions } from './remove.ts';
import type { RestoreOptions } from './restore.ts';
import type { RevokeOptions } from './revoke.ts';
import { parsePrincipal } from './principal.ts';
import { parseFormat } from './rows/format.ts';

// A command's code is loaded when it runs, so that --help does not wait for the AWS SDK.

const program = new Command('plants')
  .usage('COMMAND [options]')
  .description('Loads plants into the table, shows them, and manages who has access to them.')
  .showHelpAfterError('Put options after --: npm run plants -- COMMAND --help')
  .addHelpText(
    'after',
    `
A PRINCIPAL is user:NAME or group:NAME. A plant is identified by its name and its id.

The table is that of the running local service, unless --stage names a deployed stack (with the usual AWS credentials and
Region) or --table names a table. Results go to standard output, everything else to standard error.`,
  );

const nameOption = ['--name <name>', 'which plant, when several have the id'] as const;
const readUnitsOption = [
  '--read-units <number>',
  'how many read units per second may be used to read the whole table',
  parseReadUnits,
  500,
] as const;

const command = (name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .option('--stage <name>', 'the table of the stack PlantStore-<name>: dev, dev-<name>, staging, prod')
    .option('--table <name>', 'the table of this name')
    .option('--endpoint <url>', 'the address of --table, if it is not in AWS', parseEndpoint);

command('import', 'loads the plants of a file')
  .argument(
    '<file>',
    'CSV with a first row that names the columns, a JSON array, or NDJSON; - reads standard input',
  )
  .requiredOption('--to <principal>', 'who gets access', parsePrincipal)
  .option('--format <format>', 'csv, json or ndjson; by default, that of the file extension', parseFormat)
  .option('--replace', 'makes the rows the only plants: what the file does not have is removed')
  .option('--dry-run', 'checks and counts the rows, with --replace also the changes, and loads nothing')
  .option('--strict', 'stops at the first row that is refused; those before it are loaded')
  .option(
    '--refused <file>',
    'writes the refused rows to this file: line, reason and row, one JSON object on each line',
  )
  .addHelpText(
    'after',
    `
A row has a name (1 to ${String(maxNameBytes)} bytes of UTF-8) and optionally a tag and an id. Without an id it gets one derived from its name
and tag, which is the same each time. A row whose id was on an earlier line of the file is refused, so two plants with the
same name and tag need ids. Import adds plants, and replaces those with the same name and id. A row whose name or, without
an id, tag has changed is a new plant beside the old one; --replace removes the old one. It removes nothing if a row was
refused or the file breaks off.

The exit code is 1 when a row was refused. An interrupted import can be run again.`,
  )
  .action(async (file: string, options: ImportOptions) => {
    const { importPlants } = await import('./import.ts');
    const { refused } = options;
    process.exitCode = await importPlants(file === '-' ? file : callersPath(file), {
      ...options,
      ...(refused !== undefined && { refused: callersPath(refused) }),
    });
  });

command('export', 'writes the plants of a user or group as NDJSON, in name order')
  .requiredOption('--from <principal>', 'whose plants', parsePrincipal)
  .option('--fail-if-empty', 'exits with 1 when there are none')
  .action(async (options: ExportOptions) => {
    const { exportPlants } = await import('./export.ts');
    await exportPlants(options);
  });

command('list', 'prints plants for a person to read')
  .option(
    '--from <principal>',
    'whose plants; without it, everyone’s, which reads the whole table',
    parsePrincipal,
  )
  .option(...readUnitsOption)
  .action(async (options: ListOptions) => {
    const { listPlants } = await import('./list.ts');
    await listPlants(options);
  });

command('who', 'prints who has a plant, and its name there')
  .argument('<id>', 'of the plant', parseId)
  .action(async (id: string, options: TableOptions) => {
    const { who } = await import('./who.ts');
    await who(id, options);
  });

command('grant', 'grants a user or group access to a plant')
  .argument('<id>', 'of the plant', parseId)
  .requiredOption('--to <principal>', 'who gets access', parsePrincipal)
  .option('--from <principal>', 'who already has access, when it matters whose plant', parsePrincipal)
  .option(...nameOption)
  .action(async (id: string, options: GrantOptions) => {
    const { grant } = await import('./grant.ts');
    await grant(id, options);
  });

command('revoke', 'revokes a user’s or group’s access to a plant')
  .argument('[id]', 'of the plant', parseId)
  .option('--all', 'revokes access to all plants; used instead of an id')
  .option('--key <hash>', 'deletes a damaged item that check found; used instead of an id')
  .requiredOption('--from <principal>', 'who loses access', parsePrincipal)
  .option(...nameOption)
  .action(async (id: string | undefined, options: RevokeOptions) => {
    const { revoke } = await import('./revoke.ts');
    process.exitCode = await revoke(id, options);
  });

command('remove', 'revokes everyone’s access to a plant')
  .argument('<id>', 'of the plant', parseId)
  .option(...nameOption)
  .action(async (id: string, options: RemoveOptions) => {
    const { remove } = await import('./remove.ts');
    process.exitCode = await remove(id, options);
  });

command('check', 'reads the whole table, and prints what is wrong with it')
  .option('--show', 'prints names too')
  .option('--repair', 'repairs the index, and prints commands for the rest')
  .option(...readUnitsOption)
  .addHelpText(
    'after',
    `
Prints a line for each finding: who, the id of the plant (or a hash of its key, if it has no id), and the problem. The exit
code is 1 when something is wrong. It needs about 100 bytes of temporary disk for each item.`,
  )
  .action(async (options: CheckOptions) => {
    const { check } = await import('./check.ts');
    process.exitCode = await check(options);
  });

command('restore', 'makes the table, or a user’s or group’s plants, what another table holds')
  .requiredOption('--from-table <name>', 'the other table, in the same account and Region')
  .option('--principal <principal>', 'only the plants of this user or group', parsePrincipal)
  .option('--dry-run', 'counts what is missing, different and extra, and changes nothing')
  .option('--allow-empty', 'deletes everything if the other table has nothing')
  .option(...readUnitsOption)
  .action(async (options: RestoreOptions) => {
    const { restore } = await import('./restore.ts');
    process.exitCode = await restore(options);
  });

command('caller-id', 'prints the id that stands for a user in the logs')
  .argument('<name>', 'the user’s name: the subject (sub) of their tokens')
  .action(async (name: string, options: TableOptions) => {
    const { printCallerId } = await import('./caller-id.ts');
    await printCallerId(name, options);
  });

function parseEndpoint(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('Use a URL such as http://127.0.0.1:8000.');
}

function parseReadUnits(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.');
}

function parseId(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** Resolves a path against the folder in which npm was called, because npm runs scripts in the project's folder. */
function callersPath(path: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return script === 'plants' && folder !== undefined ? resolve(folder, path) : path;
}

// The reader of the messages can close the pipe, as in `2>&1 | head`.
process.stderr.on('error', () => undefined);

program.parseAsync().catch((error: unknown) => endWith(toUserError(error)));

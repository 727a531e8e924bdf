import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { maxNameBytes } from '../table/sort-key.ts';
import { endWith } from '../terminal/user-error.ts';
import { toUserError } from './to-user-error.ts';
import type { ExportOptions } from './export.ts';
import type { TableOptions } from './table/find-table.ts';
import type { ImportOptions } from './import.ts';
import type { GrantOptions } from './grant.ts';
import type { ListOptions } from './list.ts';
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

const command = (name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .option('--stage <name>', 'the table of the stack PlantStore-<name>: dev, staging, prod')
    .option('--table <name>', 'the table of this name')
    .option('--endpoint <url>', 'the address of --table, if it is not in AWS', parseEndpoint);

command('import', 'loads the plants of a file')
  .argument(
    '<file>',
    'CSV with a first row that names the columns, a JSON array, or NDJSON; - reads standard input',
  )
  .requiredOption('--to <principal>', 'who gets access', parsePrincipal)
  .option('--format <format>', 'csv, json or ndjson; by default, that of the file extension', parseFormat)
  .option('--dry-run', 'checks and counts the rows, and loads nothing')
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
an id, tag has changed is a new plant: use remove for the old one first.

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
  .action(async (options: ListOptions) => {
    const { listPlants } = await import('./list.ts');
    await listPlants(options);
  });

command('grant', 'grants a user or group access to a plant')
  .argument('<id>')
  .requiredOption('--to <principal>', 'who gets access', parsePrincipal)
  .option(
    '--from <principal>',
    'who already has access; without it, the whole table is searched',
    parsePrincipal,
  )
  .action(async (id: string, options: GrantOptions) => {
    const { grant } = await import('./grant.ts');
    await grant(id, options);
  });

command('revoke', 'revokes a user’s or group’s access to a plant')
  .argument('[id]')
  .option('--all', 'revokes access to all plants; used instead of an id')
  .requiredOption('--from <principal>', 'who loses access', parsePrincipal)
  .action(async (id: string | undefined, options: RevokeOptions) => {
    const { revoke } = await import('./revoke.ts');
    await revoke(id, options);
  });

command('remove', 'revokes everyone’s access to a plant; the whole table is searched')
  .argument('<id>')
  .action(async (id: string, options: TableOptions) => {
    const { remove } = await import('./remove.ts');
    await remove(id, options);
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

/** Resolves a path against the folder in which npm was called, because npm runs scripts in the project's folder. */
function callersPath(path: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return script === 'plants' && folder !== undefined ? resolve(folder, path) : path;
}

// The reader of the messages can close the pipe, as in `2>&1 | head`.
process.stderr.on('error', () => undefined);

program.parseAsync().catch((error: unknown) => endWith(toUserError(error)));

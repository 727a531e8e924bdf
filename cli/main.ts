import { Command, Option } from 'commander';
import * as output from '../terminal/output.ts';
import { exitWith, UserError } from '../terminal/user-error.ts';
import { toUserError } from './aws-error-messages.ts';
import { grant, importPlants, list, revoke } from './commands.ts';
import { parsePrincipal, parsePrincipalOrEveryone } from './principal-text.ts';

// npm runs scripts in the project's folder, but a relative path refers to the folder where the user ran npm.
process.chdir(process.env['INIT_CWD'] ?? '.');

const program = new Command('npm run plants --')
  .usage('COMMAND [options]')
  .description('Loads plants, lists them, and grants and revokes access to them.')
  .showSuggestionAfterError(false)
  .showHelpAfterError(
    'See npm run plants -- COMMAND --help. Put all options after --, because npm uses those before it.',
  )
  .configureOutput(output.parserOutput)
  .addHelpText('afterAll', '\nA <principal> is user:NAME or group:NAME. docs/plants.md has examples.');

const command = (name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .option('--stage <name>', 'use the table of the stack PlantStore-<name> (default: the local service)')
    .addOption(new Option('--table <name>', 'use the table with this name').conflicts('stage'));

command('import', 'adds the plants of a file, and changes those whose id exists already')
  .argument('<file>', 'CSV with a row of column names, JSON or NDJSON; - is standard input')
  .requiredOption('--to <principal>', 'user or group that gets the plants', parsePrincipal)
  .addOption(new Option('--format <format>', 'default: file extension').choices(['csv', 'json', 'ndjson']))
  .option('--replace', 'also remove the plants that the file does not have')
  .option('--skip-bad', 'load the good rows of a file with bad ones')
  .option('--dry-run', 'only print what would change')
  .action((file: string, options: Parameters<typeof importPlants>[1]) => importPlants(file, options, output));

command('list', 'prints plants as NDJSON')
  .argument('[id]', 'only the plants with this id')
  .option('--from <principal>', 'user or group whose plants are printed (default: all)', parsePrincipal)
  .action((id: string | undefined, options: Parameters<typeof list>[1]) => list(id, options, output));

command('grant', 'copies a plant to another principal')
  .argument('<id>', 'id of the plant')
  .requiredOption('--from <principal>', 'user or group that has the plant', parsePrincipal)
  .requiredOption('--to <principal>', 'user or group that gets it', parsePrincipal)
  .action((id: string, options: Parameters<typeof grant>[1]) => grant(id, options, output));

command('revoke', 'deletes plants of a principal, and prints them as list does')
  .argument('[id]', 'id of the plant')
  .requiredOption(
    '--from <principal>',
    'user or group that loses access, or everyone',
    parsePrincipalOrEveryone,
  )
  .option('--all', 'revoke all plants of the user or group')
  .option('--dry-run', 'only print the plants')
  .action((id: string | undefined, options: Parameters<typeof revoke>[1]) => revoke(id, options, output));

/** Refuses an option given twice, and an empty name of a stage or table, because the parser accepts them. */
const checkOption = (parent: Command, option: Option): void => {
  let isGiven = false;
  parent.on(`option:${option.name()}`, (value: unknown) => {
    if (isGiven) exitWith(new UserError(`Pass one --${option.name()}, not several.`));
    isGiven = true;
    if (value === '')
      exitWith(
        new UserError(`--${option.name()} is empty, as from a variable that is not set: pass a name.`),
      );
  });
};
for (const parent of program.commands) for (const option of parent.options) checkOption(parent, option);

program.parseAsync().catch((error: unknown) => exitWith(toUserError(error)));

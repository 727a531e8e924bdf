import { count } from '../terminal/count.ts';
import { nameIn } from '../table/sort-key.ts';
import { withoutControlCharacters } from '../terminal/style.ts';
import { UserError } from '../terminal/user-error.ts';
import { principalText } from './principal.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import { writeOutput } from './write-output.ts';

/**
 * Prints who has a plant, and its name there, one on a line.
 * @throws {UserError} when nobody has it
 */
export const who = async (id: string, options: TableOptions): Promise<void> => {
  const table = await findTable(options, new AbortController().signal);
  let grants = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const keys of table.grantsOf(id)) {
      grants += keys.length;
      yield keys
        .map(({ principal, sortKey }) => [principalText(principal), nameIn(sortKey)])
        .map((cells) => `${cells.map(withoutControlCharacters).join('\t')}\n`)
        .join('');
    }
  };
  if (!(await writeOutput(lines()))) return;
  if (grants === 0) throw new UserError('Nobody has a plant with this id. The command list prints the ids.');
  process.stderr.write(`${count(grants, 'grant')}.\n`);
};

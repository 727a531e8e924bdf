import { measureProcess } from '../measured-process.ts';
import { type Commands, plantsIn } from './commands.ts';
import { generatedItems, type PlantItem } from './rows.ts';
import { contentHash, load, newTable } from './store.ts';

const kills = 10;
/** One item of so many is missing, one changed, and one extra. */
const oneOf = 200;

interface Interrupted {
  readonly rows: number;
  /** When each run was killed, and the exit codes: null when it was. */
  readonly killedAfterSeconds: readonly number[];
  readonly codes: readonly (number | null)[];
  readonly counted: string;
  readonly lastLine: string;
  readonly isEqual: boolean;
}

/** Kills a restore at random moments, runs it again until it ends, and compares the tables. */
export const measureInterrupted = async (commands: Commands, rows: number): Promise<Interrupted> => {
  const { endpoint } = commands;
  await newTable(endpoint, 'model');
  await newTable(endpoint, 'damaged');
  await load(endpoint, 'model', generatedItems(rows));
  await load(endpoint, 'damaged', damaged(generatedItems(rows)));
  const parameters = ['--from-table', 'model', '--read-units', '9999999'];
  const dry = await commands.run('restore --dry-run of 200,000', 'damaged', [...parameters, '--dry-run']);
  const killedAfterSeconds: number[] = [];
  const codes: (number | null)[] = [];
  while (killedAfterSeconds.length < kills) {
    // It begins to read after half a second. Each run comes a little further, so most are killed between two writes.
    const ms = 500 + Math.random() * (dry.seconds / kills) * 1000 * (killedAfterSeconds.length + 1);
    const { code } = await measureProcess(plantsIn(endpoint, 'damaged', 'restore', parameters), ms);
    killedAfterSeconds.push(Number((ms / 1000).toFixed(1)));
    codes.push(code);
  }
  await commands.run('restore of 200,000', 'damaged', parameters);
  const again = await commands.run('restore of 200,000, again', 'damaged', parameters);
  return {
    rows,
    killedAfterSeconds,
    codes,
    counted: dry.messages.at(-1) ?? '',
    lastLine: again.messages.at(-1) ?? '',
    isEqual: (await contentHash(endpoint, 'model')) === (await contentHash(endpoint, 'damaged')),
  };
};

const damaged = function* (items: Iterable<PlantItem>): Generator<PlantItem> {
  let index = 0;
  for (const item of items) {
    const place = index % oneOf;
    index += 1;
    if (place === 0) continue;
    yield place === 1 ? { ...item, tag: { S: 'changed' } } : item;
    if (place === 2) yield { ...item, sortKey: { S: `${item['sortKey']?.S ?? ''}-extra` } };
  }
};

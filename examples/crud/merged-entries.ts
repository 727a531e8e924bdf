/** A file of one list or object: the lines before, the entries by their names, and the lines after. */
interface Listing {
  readonly head: readonly string[];
  readonly entries: ReadonlyMap<string, string>;
  readonly tail: readonly string[];
}

const startsListing = /^export const .*[[{]$/;
const isUnindented = /^\S/;
/** The last line of an entry that Prettier formatted. */
const endsEntry = /^ {2}\S.*,$/;
/** An entry is named by its `id`, or else by its key. */
const nameOfEntry = /\bid: '(\w+)'|^ {2}(\w+): /m;

/** The entries of a file that Prettier formatted. */
export const listingIn = (text: string): Listing => {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => startsListing.test(line)) + 1;
  const end = lines.findIndex((line, index) => index >= first && isUnindented.test(line));
  const entries = new Map<string, string>();
  let entry: string[] = [];
  for (const line of lines.slice(first, end)) {
    entry.push(line);
    if (!endsEntry.test(line)) continue;
    const code = entry.join('\n');
    const [, id, name] = nameOfEntry.exec(code) ?? [];
    entries.set(id ?? name ?? code, code);
    entry = [];
  }
  return { head: lines.slice(0, first), entries, tail: [...entry, ...lines.slice(end)] };
};

const namedImport = /^import \{ (.*) \} from (.*)$/gm;

/** The first text. Its imports get the names that the second text imports from the same files. */
const withImportsOf = (text: string, other: string): string => {
  const names = new Map(
    [...other.matchAll(namedImport)].map(([, list = '', from]) => [from, list.split(', ')]),
  );
  return text.replaceAll(namedImport, (_, list: string, from: string) => {
    const all = new Set([...list.split(', '), ...(names.get(from) ?? [])]);
    return `import { ${[...all].toSorted().join(', ')} } from ${from}`;
  });
};

/**
 * Adds the entries of the overlay's file to the checkout's file, and keeps the checkout's own entries. The
 * lines before and after the entries are those of the overlay's file, with the imports of both files.
 * @returns undefined when a line of the checkout's file would be lost
 */
export const mergedEntries = (own: string, addition: string): string | undefined => {
  const target = listingIn(withImportsOf(own, addition));
  const source = listingIn(withImportsOf(addition, own));
  const added = [...source.entries].filter(([name]) => !target.entries.has(name));
  const entries = [...target.entries, ...added].map(([, code]) => code);
  const merged = [...source.head, ...entries, ...source.tail].join('\n');
  const lines = new Set(merged.split('\n'));
  const isKept = [...target.head, ...target.tail].every((line) => lines.has(line));
  return isKept ? merged : undefined;
};

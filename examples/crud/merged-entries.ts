/** A file of one list or object: the lines before, the entries by their names, and the lines after. */
interface Listing {
  readonly head: readonly string[];
  readonly entries: ReadonlyMap<string, string>;
  readonly tail: readonly string[];
}

/** The entries of a file. Prettier has formatted it, so an entry ends with a line that is indented by two. */
export const listingIn = (text: string): Listing => {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^export const .*[[{]$/.test(line)) + 1;
  const end = lines.findIndex((line, index) => index >= first && /^\S/.test(line));
  const entries = new Map<string, string>();
  let entry: string[] = [];
  for (const line of lines.slice(first, end)) {
    entry.push(line);
    if (!/^ {2}\S.*,$/.test(line)) continue;
    const code = entry.join('\n');
    const [, id, name] = /\bid: '(\w+)'|^ {2}(\w+): /m.exec(code) ?? [];
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

import { describe, expect, it } from 'vitest';
import { listingIn, mergedEntries } from './merged-entries.ts';
import { appliedOperation, changes, overlayText, ownText, replacedFiles } from './overlay.ts';

/** The lines of a text that begin with the number of an error value. */
const errorRows = (text: string): readonly string[] => text.match(/^ *\| \d{4} \|.*$/gm) ?? [];
const linesOf = (text: string): readonly string[] => text.split('\n');

// After examples/crud was applied, there is nothing to compare its files with.
describe.skipIf(appliedOperation !== undefined)('examples/crud', () => {
  // If one of these files changes, make the same change in examples/crud, then run this test with --update.
  it('has in replaced.json the hash of each file that it replaces', async () => {
    const hashes = `${JSON.stringify(replacedFiles(), null, 2)}\n`;
    await expect(hashes).toMatchFileSnapshot('replaced.json');
  });

  it('keeps each line of the files to which it adds entries', async () => {
    const lost = (await changes()).filter(({ kind, losesWork }) => kind === 'merged' && losesWork);
    expect(lost.map(({ file }) => file)).toEqual([]);
  });

  it('repeats entries of the checkout’s infra/operations.ts unchanged, and adds more', () => {
    const file = 'infra/operations.ts';
    const [own, overlay] = [ownText(file), overlayText(file)].map((text) => listingIn(text).entries);
    const inBoth = [...(own ?? [])].filter(([name]) => overlay?.has(name));
    expect(inBoth).not.toEqual([]);
    expect(inBoth.filter(([name, code]) => overlay?.get(name) !== code)).toEqual([]);
    expect(overlay?.size).toBeGreaterThan(inBoth.length);
  });

  it('adds fields to the checkout’s table/fields.ts, and keeps all of its own', async () => {
    const file = 'table/fields.ts';
    const merged = (await changes()).find((change) => change.file === file)?.text ?? '';
    const [own, all] = [ownText(file), merged].map((text) => [...listingIn(text).entries]);
    expect(all?.slice(0, own?.length)).toEqual(own);
    expect(merged).not.toContain('ownFields');
  });

  it('adds an import and the time to live to infra/plants-table.ts, and changes no line', () => {
    const own = linesOf(ownText('infra/plants-table.ts'));
    const rest = linesOf(overlayText('infra/plants-table.ts'));
    const added = rest.filter((line) => !own.includes(line));
    expect(added).toEqual([
      expect.stringContaining('import { expiryAttribute }'),
      expect.stringContaining('// DynamoDB deletes'),
      '    timeToLiveAttribute: expiryAttribute,',
    ]);
    expect(rest.filter((line) => !added.includes(line))).toEqual(own);
  });

  it('keeps each error value of openapi.yaml with its meaning, in the order of the values', async () => {
    const merged = (await changes()).find(({ file }) => file === 'openapi.yaml')?.text ?? '';
    const rows = errorRows(merged);
    expect(rows).toEqual(expect.arrayContaining([...errorRows(ownText('openapi.yaml'))]));
    expect(rows).toEqual(rows.toSorted());
    expect(rows.length).toBeGreaterThan(errorRows(ownText('openapi.yaml')).length);
    // A row that both files have is the same in both.
    expect(errorRows(overlayText('openapi.yaml')).filter((row) => !rows.includes(row))).toEqual([]);
  });
});

describe('mergedEntries()', () => {
  const file = (...entries: readonly string[]): string =>
    ['// Head', 'export const all = list([', ...entries, ']);', ''].join('\n');
  const a = "  {\n    id: 'A',\n  },";
  const b = "  {\n    id: 'B',\n  },";
  const c = "  // The last\n  { id: 'C' },";

  it('adds the entries that the checkout does not have, after its own', () => {
    expect(mergedEntries(file(a, c), file(a, b))).toBe(file(a, c, b));
  });

  it('keeps the checkout’s entry of the same name', () => {
    const own = a.replace("'A'", "'A', mine: true");
    expect(mergedEntries(file(own), file(a, b))).toBe(file(own, b));
  });

  it('imports each name that one of the files imports', () => {
    const own = `import { b, d } from './x.ts';\n${file(a)}`;
    const addition = `import { a, b } from './x.ts';\n${file(b)}`;
    expect(mergedEntries(own, addition)).toBe(`import { a, b, d } from './x.ts';\n${file(a, b)}`);
  });

  it('returns undefined if the checkout’s file would lose a line before or after its entries', () => {
    expect(mergedEntries(`// Mine\n${file(a)}`, file(a, b))).toBeUndefined();
    expect(mergedEntries(`${file(a)}// Mine\n`, file(a, b))).toBeUndefined();
  });
});

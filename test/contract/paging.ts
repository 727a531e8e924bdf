import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { principalOf } from '../../table/principal.ts';
import { nextReference, nextTarget } from '../../smoke/link-header.ts';
import { item, key } from '../support/table/plants.ts';
import { callerWith, namesIn, newCaller, newName, plantsIn, readPages } from './plants.ts';
import type { Target } from './target.ts';

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

export const describePaging = (target: () => Target): void => {
  it.each([
    ['0', 0, 'no'],
    ['1', 1, 'a'],
    ['3', 3, 'a'],
    ['%33', 3, 'a'],
    ['10', 10, 'no'],
    ['11', 10, 'no'],
    ['2147483647', 10, 'no'],
  ])('limit=%s of ten plants returns the first %i and %s link', async (limit, count, link) => {
    const caller = await callerWith(target(), ...letters);
    const response = await caller.get(`/plants?limit=${limit}`);
    expect(namesIn(response)).toEqual(letters.slice(0, count));
    expect(nextTarget(response) === undefined ? 'no' : 'a').toBe(link);
  });

  describe('rejects with error 1001', () => {
    it.each([
      ...['', ...'+5 -1 05 00 1e3 5.0 %205 5%20 5+ 2147483648 99999999999999999999'.split(' ')],
      ...'abc 0x10 %D9%A5 5%00 5,5 % 1_000 Infinity NaN %EF%BC%95'.split(' '),
    ])('limit=%s', async (limit) => {
      const response = await newCaller(target()).get(`/plants?limit=${limit}`);
      expect(response).toMatchObject({ status: 400, body: { error: 1001 } });
    });

    it.each(['limit=5&limit=5', 'limit=1&x=2&limit=', 'limit', 'limit=1&%6Cimit=2'])('?%s', async (query) => {
      const response = await newCaller(target()).get(`/plants?${query}`);
      expect(response).toMatchObject({ status: 400, body: { error: 1001 } });
    });
  });

  // Property: with any limit, the list pages together are the list without a limit, and only the last page is
  // shorter than the limit.
  it('lists each plant exactly once across the list pages, whatever the limit', async () => {
    const groups = [newName('group'), newName('group')];
    const caller = newCaller(target(), groups);
    const principals = [caller.principal, ...groups.map((group) => principalOf('group', group))];
    const names = [...letters, '\u{1f600}', '\ufffd', 'e', 'e'];
    await target().put(
      names.flatMap((name, index) => [
        item(principals[index % 3] ?? caller.principal, name, String(index)),
        // Every second plant is granted to a second principal, too.
        item(principals[(index + (index % 2)) % 3] ?? caller.principal, name, String(index)),
      ]),
    );
    const all = plantsIn(await caller.get('/plants'));
    expect(all).toHaveLength(names.length);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: names.length + 1 }), async (limit) => {
        const pages = await readPages(caller, limit);
        expect(pages.flat()).toEqual(all);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
      { numRuns: 12 },
    );
  });

  it.each([
    ['RFC 3986', (reference: string, url: string) => new URL(reference, url).href],
    // In java.net.URI, the reference replaces the text after the last slash of the path.
    ['RFC 2396', (reference: string, url: string) => url.replace(/[^/?]*\?.*$/, reference)],
  ])('has a link that leads to the same base URL if %s resolves it', async (_, resolve) => {
    const caller = await callerWith(target(), ...letters);
    const reference = nextReference(await caller.get('/plants?limit=2')) ?? '';
    const query = /\?.*/.exec(reference)?.[0] ?? '';
    for (const baseUrl of ['http://localhost:1', 'https://api.example/prod', 'https://api.example/a/b/c'])
      expect(resolve(reference, `${baseUrl}/plants?limit=2&x=/`)).toBe(`${baseUrl}/plants${query}`);
  });

  it('continues at the same position while plants are added and removed', async () => {
    const caller = await callerWith(target(), ...letters);
    const first = await caller.get('/plants?limit=3');
    expect(namesIn(first)).toEqual(['a', 'b', 'c']);
    // The changes are before, at and after the position.
    await target().remove([key(caller.principal, 'c'), key(caller.principal, 'd')]);
    await target().put([item(caller.principal, 'aa'), item(caller.principal, 'ee')]);
    const second = await caller.get(nextTarget(first) ?? '');
    expect(namesIn(second)).toEqual(['e', 'ee', 'f']);
    await target().remove(letters.slice(6).map((name) => key(caller.principal, name)));
    const third = await caller.get(nextTarget(second) ?? '');
    expect([namesIn(third), nextTarget(third)]).toEqual([[], undefined]);
  });

  it('lists all later plants for a cursor without a limit', async () => {
    const caller = await callerWith(target(), ...letters);
    const first = await caller.get('/plants?limit=3');
    const rest = await caller.get((nextTarget(first) ?? '').replace('limit=3&', ''));
    expect([namesIn(rest), nextTarget(rest)]).toEqual([letters.slice(3), undefined]);
  });

  it('shows only the caller’s own plants for another caller’s cursor', async () => {
    const caller = await callerWith(target(), ...letters);
    const other = await callerWith(target(), 'A', 'bb', 'z');
    const cursor = nextTarget(await caller.get('/plants?limit=2')) ?? '';
    expect(namesIn(await other.get(cursor))).toEqual(['bb', 'z']);
  });

  describe('rejects with error 1002', () => {
    it.each(['', 'x', 'AAAAAAA', '%00', 'a'.repeat(5000), '..', 'null'])('cursor=$0', async (cursor) => {
      const response = await newCaller(target()).get(`/plants?limit=1&cursor=${cursor}`);
      expect(response).toMatchObject({ status: 400, body: { error: 1002 } });
    });
  });
};

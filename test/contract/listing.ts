import { expect, it } from 'vitest';
import { callerWith, item, key, namesIn, newCaller, newName, plantsIn } from './plants.ts';
import type { Item, Target } from './target.ts';

export const describeListing = (target: () => Target): void => {
  it('shows a caller without plants an empty list', async () => {
    expect((await newCaller(target()).get('/plants')).body).toEqual([]);
  });

  it('shows name and tag of each plant and nothing else', async () => {
    const caller = newCaller(target());
    const noted = { ...item(caller.principal, 'Rose', 'r2', 'flower'), note: { S: 'secret' } };
    await target().put([item(caller.principal, 'Fern', 'f1'), noted]);
    expect((await caller.get('/plants')).body).toEqual([{ name: 'Fern' }, { name: 'Rose', tag: 'flower' }]);
  });

  it('lists by name in UTF-8 byte order', async () => {
    const caller = newCaller(target());
    const names = '\u{1f600}|\ufffd|é|z|Z|a|A|aa|a b|a\u0001|\ud7ff|\ue000|10|9|竹'.split('|');
    await target().put(names.map((name, index) => item(caller.principal, name, String(index))));
    const inByteOrder = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(namesIn(await caller.get('/plants'))).toEqual(inByteOrder);
  });

  it('lists each of two plants with the same name, and a plant granted twice once', async () => {
    const group = newName('group');
    const caller = newCaller(target(), [group, group]);
    await target().put([
      item(caller.principal, 'Rose', '1', 'red'),
      item(caller.principal, 'Rose', '2', 'white'),
      item(`group#${group}`, 'Rose', '2', 'white'),
    ]);
    expect((await caller.get('/plants')).body).toEqual([
      { name: 'Rose', tag: 'red' },
      { name: 'Rose', tag: 'white' },
    ]);
  });

  it('lists the user’s copy of a plant, or else that of the first group in the token', async () => {
    const [first, second] = [newName('group'), newName('group')];
    const caller = newCaller(target(), [first, second]);
    await target().put([
      item(`group#${first}`, 'Rose', '1', 'first'),
      item(`group#${second}`, 'Rose', '1', 'second'),
      item(`group#${first}`, 'Fern', '1', 'x'.repeat(900)),
      item(caller.principal, 'Fern', '1'),
      item(`group#${second}`, 'Fern', '1', 'second'),
    ]);
    for (const query of ['', '?limit=2']) {
      expect((await caller.get(`/plants${query}`)).body, query).toEqual([
        { name: 'Fern' },
        { name: 'Rose', tag: 'first' },
      ]);
    }
  });

  it('shows no plant of another user, even if a group of the caller has that user’s name', async () => {
    const other = await callerWith(target(), 'Private');
    const caller = newCaller(target(), [other.subject, `user#${other.subject}`]);
    expect((await caller.get('/plants')).body).toEqual([]);
  });

  it('leaves out damaged items and lists the rest', async () => {
    const caller = newCaller(target());
    const { principal } = caller;
    // The contract of the plant store has each kind of damage.
    const damaged: readonly Item[] = [
      key(principal, 'no name', '1'),
      { ...item(principal, 'tag', '1'), tag: { N: '1' } },
      item(principal, 'long tag', '1', '竹'.repeat(300) + 'x'),
    ];
    await target().put([...damaged, item(principal, 'a good one', '1'), item(principal, 'z good one', '1')]);
    expect(namesIn(await caller.get('/plants'))).toEqual(['a good one', 'z good one']);
    expect(namesIn(await caller.get('/plants?limit=2'))).toEqual(['a good one', 'z good one']);
    expect(namesIn(await caller.get('/plants?limit=1'))).toEqual(['a good one']);
  });

  it('ignores unknown parameters', async () => {
    const caller = await callerWith(target(), 'Rose');
    for (const query of ['?color=red', '?Limit=0', '?limits=0', '?', '?&&', '?%6', '?q=%ff&q=']) {
      expect(plantsIn(await caller.get(`/plants${query}`)), query).toEqual([{ name: 'Rose' }]);
    }
  });
};

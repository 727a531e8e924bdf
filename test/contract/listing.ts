import { expect, it } from 'vitest';
import { item, key } from '../support/table/plants.ts';
import { callerWith, namesIn, newCaller, newName, plantsIn } from './plants.ts';
import type { Item, Target } from './target.ts';

export const describeListing = (target: () => Target): void => {
  it('shows a caller without plants an empty list', async () => {
    expect((await newCaller(target()).get('/plants')).body).toEqual([]);
  });

  it('lists two plants with the same name, and lists a plant once that is granted twice', async () => {
    const group = newName('group');
    const caller = newCaller(target(), [group, group]);
    await target().put([
      item(caller.principal, 'Rose', '1', 'red'),
      item(caller.principal, 'Rose', '2', 'white'),
      item(`group#${group}`, 'Rose', '2', 'white'),
    ]);
    expect(plantsIn(await caller.get('/plants'))).toEqual([
      { name: 'Rose', tag: 'red' },
      { name: 'Rose', tag: 'white' },
    ]);
  });

  it('lists the user’s copy of a plant, or else the copy of the first group in the token', async () => {
    const [first, second] = [newName('group'), newName('group')];
    const caller = newCaller(target(), [first, second]);
    await target().put([
      item(`group#${first}`, 'Rose', 'Rose', 'first'),
      item(`group#${second}`, 'Rose', 'Rose', 'second'),
      item(`group#${first}`, 'Fern', 'Fern', 'x'.repeat(900)),
      item(caller.principal, 'Fern'),
      item(`group#${second}`, 'Fern', 'Fern', 'second'),
    ]);
    for (const query of ['', '?limit=2']) {
      expect(plantsIn(await caller.get(`/plants${query}`)), query).toEqual([
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

  it('leaves out damaged items, and lists all other plants', async () => {
    const caller = newCaller(target());
    const { principal } = caller;
    // The contract of the plant store has each kind of damage.
    const damaged: readonly Item[] = [
      key(principal, 'no name'),
      { ...item(principal, 'tag'), tag: { N: '1' } },
      item(principal, 'long tag', 'long tag', '竹'.repeat(300) + 'x'),
    ];
    await target().put([...damaged, item(principal, 'a good one'), item(principal, 'z good one')]);
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

import { describe, expect, it } from 'vitest';
import { nextTarget } from '../../smoke/link-header.ts';
import { idOf, item } from '../support/table/plants.ts';
import { namesIn, newCaller, newName } from './plants.ts';
import { added, needsRequestHeaders, patch, plantIn, remove } from './single-plants.ts';
import type { Target } from './target.ts';

const noSuchPlant = { status: 404, body: { error: 1005 } };

/** `DELETE /plants/{id}`. */
export const describeDeleting = (target: () => Target): void => {
  it('responds with 204, then with 404, and no later response has the plant', async () => {
    const caller = newCaller(target());
    const { path } = await added(caller, { name: 'Fern' });
    await added(caller, { name: 'Rose' });
    expect(await remove(caller, path)).toMatchObject({ status: 204, bytes: 0 });
    expect(await remove(caller, path)).toMatchObject(noSuchPlant);
    expect(await caller.get(path)).toMatchObject(noSuchPlant);
    expect(namesIn(await caller.get('/plants'))).toEqual(['Rose']);
  });

  it('deletes a plant of a group for every member', async () => {
    const group = newName('group');
    const [caller, member] = [newCaller(target(), [group]), newCaller(target(), [group])];
    const { path } = await added(member, { name: 'Fern' }, {}, `?group=${group}`);
    expect(await remove(caller, path)).toMatchObject({ status: 204 });
    expect(await member.get(path)).toMatchObject(noSuchPlant);
  });

  it('deletes the user’s own of several copies', async () => {
    const group = newName('group');
    const caller = newCaller(target(), [group]);
    await target().put([item(`group#${group}`, 'Fern', '1', 'shared'), item(caller.principal, 'Fern', '1')]);
    const path = `/plants/${idOf('Fern', '1')}`;
    expect(await remove(caller, path)).toMatchObject({ status: 204 });
    expect((await caller.get(path)).body).toMatchObject({ tag: 'shared' });
  });

  it('responds with 404 to the id of another user’s plant, and does not delete it', async () => {
    const [caller, other] = [newCaller(target()), newCaller(target())];
    const plant = await added(other, { name: 'Fern' });
    expect(await remove(caller, plant.path)).toMatchObject(noSuchPlant);
    expect(plantIn(await other.get(plant.path))).toEqual(plant);
  });

  it('lists each plant once in pages while plants are added and deleted', async () => {
    const caller = newCaller(target());
    const plants = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      plants.push(await added(caller, { name }));
      // Ids that are made in the same millisecond are in random order.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const first = await caller.get('/plants?limit=2');
    expect(namesIn(first)).toEqual(['a', 'b']);
    // Removes the plant at the cursor's position and the plant after it.
    for (const { path } of plants.slice(1, 3)) await remove(caller, path);
    await added(caller, { name: 'f' });
    const second = await caller.get(nextTarget(first) ?? '');
    expect(namesIn(second)).toEqual(['d', 'e']);
    const third = await caller.get(nextTarget(second) ?? '');
    expect([namesIn(third), nextTarget(third)]).toEqual([['f'], undefined]);
  });

  describe('with If-Match', () => {
    needsRequestHeaders(target);

    it('deletes a plant that has the version', async () => {
      const caller = newCaller(target());
      const { path, etag } = await added(caller, { name: 'Fern' });
      const headers = { 'if-match': `W/"a","b",${etag}` };
      expect(await remove(caller, path, headers)).toMatchObject({ status: 204 });
      expect(await remove(caller, path, headers)).toMatchObject(noSuchPlant);
    });

    it('rejects an earlier version with error 1012, and keeps the plant', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' }, { 'idempotency-key': crypto.randomUUID() });
      const changed = plantIn(await patch(caller, plant, { name: 'Rose' }));
      for (const etag of [plant.etag, `W/${changed.etag}`])
        expect(await remove(caller, plant.path, { 'if-match': etag })).toMatchObject({
          status: 412,
          body: { error: 1012 },
        });
      expect(plantIn(await caller.get(plant.path))).toEqual(changed);
    });

    it.each(['*', '', 'abc'])('rejects If-Match: %s with error 1010, and keeps the plant', async (header) => {
      const caller = newCaller(target());
      const { path } = await added(caller, { name: 'Fern' });
      const response = await remove(caller, path, { 'if-match': header });
      expect(response).toMatchObject({ status: 400, body: { error: 1010 } });
      expect(await caller.get(path)).toMatchObject({ status: 200 });
    });

    it('does not delete a group’s copy when the deletion of the user’s own is repeated', async () => {
      const group = newName('group');
      const caller = newCaller(target(), [group]);
      await target().put([item(`group#${group}`, 'Fern'), item(caller.principal, 'Fern')]);
      const path = `/plants/${idOf('Fern')}`;
      const { etag } = plantIn(await caller.get(path));
      expect(await remove(caller, path, { 'if-match': etag })).toMatchObject({ status: 204 });
      expect(await remove(caller, path, { 'if-match': etag })).toMatchObject({ status: 412 });
      expect(await caller.get(path)).toMatchObject({ status: 200 });
    });
  });
};

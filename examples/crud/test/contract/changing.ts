import { describe, expect, it } from 'vitest';
import {
  declaredFields,
  optionalNames,
  withoutOptional,
  wrongValues,
} from '../support/table/field-limits.ts';
import { samplesOf } from '../../table/sample-values.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { idOf, item } from '../support/table/plants.ts';
import { newCaller, newName } from './plants.ts';
import { added, needsRequestHeaders, outcomeOf, patch, plantIn, remove } from './single-plants.ts';
import type { Target } from './target.ts';

const noSuchPlant = { status: 404, body: { error: 1005 } };
const versionChanged = { status: 412, body: { error: 1012 } };

/** `PATCH /plants/{id}`. */
export const describeChanging = (target: () => Target): void => {
  it('rejects a change without If-Match with error 1014, and changes nothing', async () => {
    const caller = newCaller(target());
    const plant = await added(caller, { name: 'Fern' });
    const headers = { 'content-type': 'application/json' };
    const response = await caller.send('PATCH', plant.path, headers, '{"name":"Rose"}');
    expect(response).toMatchObject({ status: 428, body: { error: 1014 } });
    expect(plantIn(await caller.get(plant.path))).toEqual(plant);
  });

  describe('with If-Match', () => {
    needsRequestHeaders(target);

    it('sets the fields in the body, removes the fields that are null, and keeps all others', async () => {
      const caller = newCaller(target());
      const fields = samplesOf(declaredFields);
      const plant = await added(caller, fields);
      const [removed = ''] = optionalNames;
      const changed = plantIn(await patch(caller, plant, { [removed]: null, name: 'Rose' }));
      const expected = { id: plant.id, ...fields, name: 'Rose', [removed]: undefined };
      expect(JSON.stringify(changed.body)).toBe(JSON.stringify(expected));
      expect(changed.etag).not.toBe(plant.etag);
      expect(plantIn(await caller.get(plant.path))).toEqual(changed);
    });

    it('sets each field that the plant does not have', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const fields = samplesOf(declaredFields);
      const changed = plantIn(await patch(caller, plant, fields));
      expect(JSON.stringify(changed.body)).toBe(JSON.stringify({ id: plant.id, ...fields }));
      expect(plantIn(await caller.get(plant.path))).toEqual(changed);
    });

    it.each([
      ['has', { ...samplesOf(declaredFields), name: 'Fern' }],
      ['does not have', { name: 'Fern' }],
    ])('removes every optional field that the plant %s', async (_, fields) => {
      const caller = newCaller(target());
      const plant = await added(caller, fields);
      const removed = plantWith({ id: plant.id, name: 'Fern' });
      expect((await patch(caller, plant, withoutOptional)).body).toEqual(removed);
      expect((await caller.get(plant.path)).body).toEqual(removed);
    });

    it('accepts an empty change, which changes no field', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern', tag: 'f' });
      const changed = plantIn(await patch(caller, plant, {}));
      expect(changed.body).toEqual(plant.body);
      expect(plantIn(await caller.get(plant.path))).toEqual(changed);
    });

    it.each<readonly [what: string, change: Readonly<Record<string, unknown>>]>([
      ...declaredFields.flatMap(([name, field]) =>
        wrongValues(field).map(([what, value]) => [`${what} as ${name}`, { [name]: value }] as const),
      ),
      ['another id', { id: 'x' }],
      ['a version', { version: 'x' }],
      ['a principal', { principal: 'user#x' }],
      ['a valid and a wrong field', { name: 'Rose', tag: 5 }],
    ])('rejects %s with error 1007, and changes nothing', async (_, change) => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      expect(await patch(caller, plant, change)).toMatchObject({ status: 400, body: { error: 1007 } });
      expect(plantIn(await caller.get(plant.path))).toEqual(plant);
    });

    it.each([
      'application/merge-patch+json',
      'Application/Merge-Patch+JSON; charset=utf-8',
      'application/json',
    ])('accepts a body of Content-Type %s', async (type) => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const response = await patch(caller, plant, { name: '竹' }, { 'content-type': type });
      expect(response.body).toEqual(plantWith({ id: plant.id, name: '竹' }));
    });

    it('rejects a version that another change has replaced with error 1012', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const changed = plantIn(await patch(caller, plant, { name: 'Rose' }));
      expect(await patch(caller, plant, { tag: 'x' })).toMatchObject(versionChanged);
      expect(plantIn(await caller.get(plant.path))).toEqual(changed);
    });

    it('rejects a version whose content came back after two changes with error 1012', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const other = plantIn(await patch(caller, plant, { name: 'Rose' }));
      const same = plantIn(await patch(caller, other, { name: 'Fern' }));
      expect(same.body).toEqual(plant.body);
      expect(await patch(caller, plant, { tag: 'x' })).toMatchObject(versionChanged);
      expect(await patch(caller, plant, { name: 'Rose' })).toMatchObject(versionChanged);
      expect(plantIn(await caller.get(plant.path))).toEqual(same);
    });

    it('responds to a repetition with the first response, and changes the plant once', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern', tag: 'f' });
      const first = outcomeOf(await patch(caller, plant, { tag: null, name: 'Rose' }));
      expect(outcomeOf(await patch(caller, plant, { name: 'Rose', tag: null }))).toEqual(first);
      expect(outcomeOf(await caller.get(plant.path))).toEqual(first);
    });

    it('rejects a repetition after another change with error 1012', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const first = plantIn(await patch(caller, plant, { name: 'Rose' }));
      const second = plantIn(await patch(caller, first, { tag: 'x' }));
      expect(await patch(caller, plant, { name: 'Rose' })).toMatchObject(versionChanged);
      expect(plantIn(await caller.get(plant.path))).toEqual(second);
    });

    it('makes exactly one of eight different changes to a version at the same time', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const changes = Array.from({ length: 8 }, (_, index) =>
        patch(caller, plant, { name: `Rose ${String(index)}` }),
      );
      const responses = await Promise.all(changes);
      const winners = responses.filter(({ status }) => status === 200);
      expect(responses.filter(({ status }) => status === 412)).toHaveLength(7);
      expect([outcomeOf(await caller.get(plant.path))]).toEqual(winners.map(outcomeOf));
    });

    it.each([
      ['a list', (etag: string) => `"a", ${etag}`],
      ['a list without spaces', (etag: string) => `"a",${etag}`],
      ['a list with a weak ETag in front', (etag: string) => `W/"a",${etag}`],
      ['a list with a weak ETag behind', (etag: string) => `${etag},W/"a"`],
      ['a list with empty elements', (etag: string) => `,${etag}, ,`],
    ])('accepts the version in %s', async (_, headerOf) => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const change = await patch(caller, { ...plant, etag: headerOf(plant.etag) }, { name: 'Rose' });
      expect(change).toMatchObject({ status: 200, body: { name: 'Rose' } });
    });

    it.each([
      ['as a weak ETag', (etag: string) => `W/${etag}`],
      ['as a weak ETag of a list', (etag: string) => `"a",W/${etag},"b"`],
      ['in a longer tag', (etag: string) => `${etag.slice(0, -1)}x"`],
    ])('rejects the version %s with error 1012', async (_, headerOf) => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const response = await patch(caller, { ...plant, etag: headerOf(plant.etag) }, { name: 'Rose' });
      expect(response).toMatchObject(versionChanged);
      expect(plantIn(await caller.get(plant.path))).toEqual(plant);
    });

    it.each(['*', '', 'abc', '"a', '"a" "b"'])('rejects If-Match: %s with error 1010', async (etag) => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const response = await patch(caller, { ...plant, etag }, { name: 'Rose' });
      expect(response).toMatchObject({ status: 400, body: { error: 1010 } });
      expect(plantIn(await caller.get(plant.path))).toEqual(plant);
    });

    it('changes a plant of a group, and the user’s own of several copies', async () => {
      const group = newName('group');
      const [caller, member] = [newCaller(target(), [group]), newCaller(target(), [group])];
      const copies = [`group#${group}` as const, caller.principal];
      await target().put([...copies.map((each) => item(each, 'Fern')), item(`group#${group}`, 'Rose')]);
      const [fern, rose] = [`/plants/${idOf('Fern')}`, `/plants/${idOf('Rose')}`];
      await patch(caller, plantIn(await caller.get(rose)), { tag: 'shared' });
      expect((await member.get(rose)).body).toMatchObject({ tag: 'shared' });
      await patch(caller, plantIn(await caller.get(fern)), { tag: 'own' });
      expect((await caller.get(fern)).body).toMatchObject({ tag: 'own' });
      expect((await member.get(fern)).body).toEqual(plantWith({ id: idOf('Fern'), name: 'Fern' }));
    });

    it('responds with 404 to a change of another user’s plant, and of a deleted plant', async () => {
      const [caller, other] = [newCaller(target()), newCaller(target())];
      const plant = await added(other, { name: 'Fern' });
      expect(await patch(caller, plant, { name: 'Rose' })).toMatchObject(noSuchPlant);
      expect(plantIn(await other.get(plant.path))).toEqual(plant);
      await remove(other, plant.path);
      expect(await patch(other, plant, { name: 'Rose' })).toMatchObject(noSuchPlant);
      expect((await other.get('/plants')).body).toEqual([]);
    });
  });
};

import { describe, expect, it } from 'vitest';
import { plantWith, undeclaredName } from '../support/table/field-samples.ts';
import { idOf, item, key } from '../support/table/plants.ts';
import { newCaller, newName } from './plants.ts';
import { added, needsRequestHeaders, patch, plantIn, post } from './single-plants.ts';
import type { Item, Target } from './target.ts';

const noSuchPlant = { status: 404, body: { error: 1005 } };

/** `GET /plants/{id}`. */
export const describeFinding = (target: () => Target): void => {
  it('finds the caller’s own plant, with id, fields and an ETag, and nothing else', async () => {
    const caller = newCaller(target());
    const noted = { ...item(caller.principal, 'Rose', '1', 'flower'), [undeclaredName]: { S: 'secret' } };
    await target().put([noted]);
    const { body, etag } = plantIn(await caller.get(`/plants/${idOf('Rose', '1')}`));
    expect(body).toEqual(plantWith({ id: idOf('Rose', '1'), name: 'Rose', tag: 'flower' }));
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  });

  it('finds the plant of the user, or else that of the first group in the token that has it', async () => {
    const groups = Array.from({ length: 12 }, () => newName('group'));
    const caller = newCaller(target(), groups);
    const inGroups = groups.flatMap((group, index) => {
      const tag = String(index);
      // Reads are in flight eight at a time, so the first group that has a plant is in a later batch.
      return index < 9
        ? []
        : [item(`group#${group}`, 'Fern', '1', tag), item(`group#${group}`, 'Rose', '1', tag)];
    });
    await target().put([...inGroups, item(caller.principal, 'Rose', '1', 'own')]);
    expect((await caller.get(`/plants/${idOf('Fern', '1')}`)).body).toMatchObject({ tag: '9' });
    expect((await caller.get(`/plants/${idOf('Rose', '1')}`)).body).toMatchObject({ tag: 'own' });
  });

  it('finds the plant of each of twelve groups, which are read eight at a time', async () => {
    const groups = Array.from({ length: 12 }, () => newName('group'));
    const caller = newCaller(target(), groups);
    await target().put(groups.map((group) => item(`group#${group}`, group, '1')));
    for (const name of groups) {
      const id = idOf(name, '1');
      expect((await caller.get(`/plants/${id}`)).body).toEqual(plantWith({ id, name }));
    }
  });

  it('responds with 404 to the id of another user’s plant, as to an id that does not exist', async () => {
    const [caller, other] = [newCaller(target()), newCaller(target(), ['other'])];
    const { path } = await added(other, { name: 'Private' });
    const response = await caller.get(path);
    expect(response).toMatchObject(noSuchPlant);
    expect((await caller.get(`${path}x`)).body).toEqual(response.body);
    const namesake = newCaller(target(), [other.subject, `user#${other.subject}`]);
    expect(await namesake.get(path)).toMatchObject(noSuchPlant);
  });

  it.each([
    'request',
    'x'.repeat(256),
    'x'.repeat(2000),
    '%00',
    '%20',
    'a%00b',
    '%C3%A9',
    '%zz',
    '*',
    'a+b',
    'user%23a',
  ])('responds with 404 to the id %s, which no plant has', async (id) => {
    expect(await newCaller(target()).get(`/plants/${id}`)).toMatchObject(noSuchPlant);
  });

  it('skips a damaged item, and finds the next principal’s plant with the same id', async () => {
    const group = newName('group');
    const caller = newCaller(target(), [group]);
    const { principal } = caller;
    const damaged: readonly Item[] = [
      key(principal, 'no name'),
      { ...item(principal, 'tag'), tag: { N: '1' } },
      { ...item(principal, 'version'), version: { N: '1' } },
    ];
    await target().put([...damaged, item(`group#${group}`, 'tag')]);
    for (const name of ['no name', 'version'])
      expect(await caller.get(`/plants/${idOf(name)}`), name).toMatchObject(noSuchPlant);
    expect((await caller.get(`/plants/${idOf('tag')}`)).body).toEqual(
      plantWith({ id: idOf('tag'), name: 'tag' }),
    );
  });

  describe('with If-None-Match', () => {
    needsRequestHeaders(target);

    it('responds with 304 and no body until the plant changes, and then with the plant', async () => {
      const caller = newCaller(target());
      const plant = await added(caller, { name: 'Fern' });
      const condition = { 'if-none-match': `"other", W/${plant.etag}` };
      const { status, headers, bytes } = await caller.get(plant.path, condition);
      expect([status, headers['etag'], bytes]).toEqual([304, plant.etag, 0]);
      await patch(caller, plant, { name: 'Rose' });
      expect(plantIn(await caller.get(plant.path, condition)).body).toMatchObject({ name: 'Rose' });
    });
  });

  it('compresses no response with an ETag, whatever its size and the accepted codings', async () => {
    const caller = newCaller(target());
    const codings = { 'accept-encoding': 'br, gzip' };
    // Each character takes six bytes in JSON.
    const longest = { name: '\u0001'.repeat(900), tag: '\u0001'.repeat(900) };
    const first = await post(caller, longest, codings);
    const plant = plantIn(first, 201);
    const responses = [first, await caller.get(plant.path, codings)];
    if (target().gateway.passesLowerCaseHeaders)
      responses.push(await patch(caller, plant, { name: '\u0002'.repeat(900) }, codings));
    for (const { headers, bytes } of responses) {
      expect(headers['content-encoding']).toBeUndefined();
      expect(bytes).toBeGreaterThan(10_000);
    }
  });
};

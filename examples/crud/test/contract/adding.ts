import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../table/sample-values.ts';
import { plantWith } from '../support/table/field-samples.ts';
import {
  declaredFields,
  requiredNames,
  valuesAtLimits,
  withoutOptional,
  wrongValues,
} from '../support/table/field-limits.ts';
import { namesIn, newCaller, newName, plantsIn } from './plants.ts';
import { added, needsRequestHeaders, outcomeOf, patch, plantIn, post, remove } from './single-plants.ts';
import type { Target } from './target.ts';

const uuidVersion7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** `POST /plants`. */
export const describeAdding = (target: () => Target): void => {
  it('responds with 201, the plant with an id that the service made, its Location and its ETag', async () => {
    const caller = newCaller(target());
    const fields = samplesOf(declaredFields);
    const response = await post(caller, fields);
    const { id, etag } = plantIn(response, 201);
    expect(id).toMatch(uuidVersion7);
    expect(JSON.stringify(response.body)).toBe(JSON.stringify({ id, ...fields }));
    expect(response.headers['location']).toBe(`plants/${id}`);
    expect(plantIn(await caller.get(`/plants/${id}`))).toMatchObject({ etag, body: { id, ...fields } });
    expect((await caller.get('/plants')).body).toEqual([{ id, ...fields }]);
  });

  it.each([
    ['RFC 3986', (reference: string, url: string) => new URL(reference, url).href],
    // As java.net.URI does: the reference replaces what follows the last slash of the path.
    ['RFC 2396', (reference: string, url: string) => url.replace(/[^/?]*(\?.*)?$/, reference)],
  ])('has a Location that leads to the plant behind any base URL, resolved by %s', async (_, resolve) => {
    const response = await post(newCaller(target()), { name: 'Fern' });
    const { path } = plantIn(response, 201);
    const location = response.headers['location'] ?? '';
    for (const baseUrl of ['http://localhost:1', 'https://api.example/prod', 'https://api.example/a/b/c']) {
      expect(resolve(location, `${baseUrl}/plants`)).toBe(`${baseUrl}${path}`);
      expect(resolve(location, `${baseUrl}/plants?group=a/b`)).toBe(`${baseUrl}${path}`);
    }
  });

  it('adds a plant for each request without a key', async () => {
    const caller = newCaller(target());
    const [first, second] = [await added(caller, { name: 'Fern' }), await added(caller, { name: 'Fern' })];
    expect(first.id).not.toBe(second.id);
    expect(namesIn(await caller.get('/plants'))).toEqual(['Fern', 'Fern']);
  });

  it.each(
    declaredFields.flatMap(([name, field]) =>
      valuesAtLimits(field).map(([what, value]) => [what, name, value] as const),
    ),
  )('adds a plant with %s as %s', async (_, name, value) => {
    const fields = plantWith({ [name]: value });
    const caller = newCaller(target());
    const { id, path } = await added(caller, fields);
    expect((await caller.get(path)).body).toEqual({ id, ...fields });
  });

  it('takes null in an optional field as no value', async () => {
    const { id, body } = await added(newCaller(target()), { name: 'Fern', ...withoutOptional });
    expect(body).toEqual(plantWith({ id, name: 'Fern' }));
  });

  it.each<readonly [what: string, fields: Readonly<Record<string, unknown>>]>([
    ...requiredNames.map((name) => [`no ${name}`, { [name]: undefined }] as const),
    ...declaredFields.flatMap(([name, field]) =>
      wrongValues(field).map(
        ([what, value]) => [`${what} as ${name}`, { name: 'a', [name]: value }] as const,
      ),
    ),
    ['an id', { name: 'a', id: '1' }],
    ['a version', { name: 'a', version: 'x' }],
    ['a field name in capitals', { name: 'a', NAME: 'x' }],
  ])('rejects a plant with %s with error 1007, and adds none', async (_, fields) => {
    const caller = newCaller(target());
    expect(await post(caller, fields)).toMatchObject({ status: 400, body: { error: 1007 } });
    expect((await caller.get('/plants')).body).toEqual([]);
  });

  it('adds a plant to a group of the caller, which every member finds', async () => {
    const group = newName('group/ä&');
    const [caller, member] = [newCaller(target(), ['other', group]), newCaller(target(), [group])];
    const { path } = await added(caller, { name: 'Fern' }, {}, `?group=${encodeURIComponent(group)}`);
    expect(plantIn(await member.get(path)).body).toMatchObject({ name: 'Fern' });
    expect(await newCaller(target()).get(path)).toMatchObject({ status: 404 });
  });

  it('adds a plant to the caller if a parameter is not named group', async () => {
    const group = newName('group');
    const [caller, member] = [newCaller(target(), [group]), newCaller(target(), [group])];
    await added(caller, { name: 'Fern' }, {}, `??group=${group}&Group=${group}`);
    expect((await member.get('/plants')).body).toEqual([]);
  });

  it.each([
    ['of another user', (own: string) => `?group=${own}x`],
    ['with the name of the user', (_: string, subject: string) => `?group=${subject}`],
    ['without a name', () => '?group='],
    ['that is repeated', (own: string) => `?group=${own}&group=${own}`],
  ])('rejects a group %s with error 1009', async (_, queryOf) => {
    const group = newName('group');
    const caller = newCaller(target(), [group]);
    const response = await post(caller, { name: 'Fern' }, {}, queryOf(group, caller.subject));
    expect(response).toMatchObject({ status: 400, body: { error: 1009 } });
    expect((await caller.get('/plants')).body).toEqual([]);
  });

  describe('with an Idempotency-Key', () => {
    needsRequestHeaders(target);
    const newKey = () => ({ 'idempotency-key': crypto.randomUUID() });

    it('adds one plant for repetitions, and responds with the first response', async () => {
      const caller = newCaller(target());
      const key = newKey();
      const fields = samplesOf(declaredFields);
      const first = outcomeOf(await post(caller, fields, key));
      // The same members in another order.
      const inOtherOrder = Object.fromEntries(Object.entries(fields).toReversed());
      expect(outcomeOf(await post(caller, inOtherOrder, key))).toEqual(first);
      expect(plantsIn(await caller.get('/plants'))).toHaveLength(1);
    });

    it('adds one plant for eight requests at the same time, and responds with one response', async () => {
      const caller = newCaller(target());
      const key = newKey();
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => post(caller, { name: 'Fern' }, key)),
      );
      const { id } = await added(caller, { name: 'Fern' }, key);
      expect(new Set(responses.map((response) => JSON.stringify(outcomeOf(response)))).size).toBe(1);
      expect((await caller.get('/plants')).body).toEqual([plantWith({ id, name: 'Fern' })]);
    });

    it('responds with the first response after a change, which stays', async () => {
      const caller = newCaller(target());
      const key = newKey();
      const first = await post(caller, { name: 'Fern' }, key);
      const changed = plantIn(await patch(caller, plantIn(first, 201), { name: 'Rose' }));
      expect(outcomeOf(await post(caller, { name: 'Fern' }, key))).toEqual(outcomeOf(first));
      expect(plantIn(await caller.get(changed.path))).toEqual(changed);
    });

    it('responds with the first response after a deletion, and does not add the plant again', async () => {
      const caller = newCaller(target());
      const key = newKey();
      const first = await post(caller, { name: 'Fern' }, key);
      await remove(caller, plantIn(first, 201).path);
      expect(outcomeOf(await post(caller, { name: 'Fern' }, key))).toEqual(outcomeOf(first));
      expect((await caller.get('/plants')).body).toEqual([]);
    });

    it('rejects another body and another group with error 1013, and adds nothing', async () => {
      const group = newName('group');
      const caller = newCaller(target(), [group]);
      const key = newKey();
      await added(caller, { name: 'Fern' }, key);
      const reused = { status: 422, body: { error: 1013 } };
      expect(await post(caller, { name: 'Fern', tag: 'x' }, key)).toMatchObject(reused);
      expect(await post(caller, { name: 'Fern' }, key, `?group=${group}`)).toMatchObject(reused);
      expect(namesIn(await caller.get('/plants'))).toEqual(['Fern']);
    });

    it('takes the same key of another caller as another request, also in one group', async () => {
      const group = newName('group');
      const [one, other] = [newCaller(target(), [group]), newCaller(target(), [group])];
      const key = newKey();
      const first = await added(one, { name: 'Fern' }, key, `?group=${group}`);
      const second = await added(other, { name: 'Fern' }, key, `?group=${group}`);
      expect(first.id).not.toBe(second.id);
      expect(namesIn(await one.get('/plants'))).toEqual(['Fern', 'Fern']);
    });

    it.each(['!', '~'.repeat(255), '"8e03978e"', 'a,b'])('accepts the key %s', async (key) => {
      await added(newCaller(target()), { name: 'Fern' }, { 'idempotency-key': key });
    });

    it.each([
      ['empty', ''],
      ['of 256 characters', 'x'.repeat(256)],
      ['with a space', 'a b'],
      ['with a letter outside ASCII', 'é'],
    ])('rejects a key %s with error 1008, and adds nothing', async (_, key) => {
      const caller = newCaller(target());
      const response = await post(caller, { name: 'Fern' }, { 'idempotency-key': key });
      expect(response).toMatchObject({ status: 400, body: { error: 1008 } });
      expect((await caller.get('/plants')).body).toEqual([]);
    });
  });
};

import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { Headers } from '../../smoke/client.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { newCaller } from './plants.ts';
import { needsRequestHeaders } from './single-plants.ts';
import type { Target } from './target.ts';

type BodyCase = readonly [
  what: string,
  error: number,
  content: string | Uint8Array | undefined,
  headers?: Headers,
];

/** A plant in JSON. */
const plant = JSON.stringify(plantWith({ name: 'a' }));
/** The plant with spaces after it, so that it has this many bytes. */
const padded = (bytes: number): string => plant.padEnd(bytes);
const latin1 = Buffer.from(JSON.stringify(plantWith({ name: 'é' })), 'latin1');
const form = 'application/x-www-form-urlencoded';

/** Bodies that no operation accepts, with the error of each. */
const refusedBodies: readonly BodyCase[] = [
  ['no body', 1006, undefined],
  ['null', 1006, 'null'],
  ['an array', 1006, '[{"name":"a"}]'],
  ['a text', 1006, '"a"'],
  ['no JSON', 1006, '{"name":"a"'],
  ['a member twice', 1006, '{"name":"a","tag":"b","name":"a"}'],
  ['a member twice, once with an escape', 1006, String.raw`{"name":"a","n\u0061me":"a"}`],
  ['64 KB and one byte', 1006, padded(64_001)],
  ['a byte order mark', 1006, '\ufeff{"name":"a"}'],
  ['UTF-16', 1006, Buffer.from('{"name":"a"}', 'utf16le')],
  ['arrays 5,000 deep outside', 1006, '['.repeat(5000) + ']'.repeat(5000)],
  ['arrays 5,000 deep as a field', 1007, `{"name":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['an object as name', 1007, '{"name":{"toString":1}}'],
  ['an object as number', 1007, '{"name":"a","height":{"valueOf":1}}'],
  ['a number as name', 1007, '{"name":5}'],
  ['a lone surrogate', 1007, String.raw`{"name":"\ud800"}`],
  ['a lone surrogate in a tag', 1007, String.raw`{"name":"a","tag":"\udc00"}`],
  ['a number outside all bounds', 1007, '{"name":"a","height":1e400}'],
  ['a member __proto__', 1007, '{"name":"a","__proto__":{"tag":"b"}}'],
  ['a member constructor', 1007, '{"name":"a","constructor":null}'],
  ['a member toString', 1007, '{"name":"a","toString":null}'],
  ['a form', 1011, 'name=a', { 'content-type': form }],
  ['JSON sent as text/plain', 1011, padded(12), { 'content-type': 'text/plain' }],
  ['another charset', 1011, padded(12), { 'content-type': 'application/json; charset=iso-8859-1' }],
  ['a coding', 1011, gzipSync(padded(12)), { 'content-encoding': 'gzip' }],
];

/** The requests that have a body. The body of a change is read before the plant. */
const requestsWithBody: readonly (readonly [method: string, path: string, headers: Headers])[] = [
  ['POST', '/plants', { 'content-type': 'application/json' }],
  ['PATCH', '/plants/any', { 'content-type': 'application/merge-patch+json', 'if-match': '"any"' }],
];

/** The bodies of all requests that have one. */
export const describeBodies = (target: () => Target): void => {
  describe.each(requestsWithBody)('%s %s', (method, path, headers) => {
    needsRequestHeaders(target);

    const cases = refusedBodies.map(([what, error, content, more]) => ({ what, error, content, more }));
    it.each(cases)('rejects $what with error $error', async ({ error, content, more }) => {
      const caller = newCaller(target());
      const response = await caller.send(method, path, { ...headers, ...more }, content);
      expect(response).toMatchObject({ status: error === 1011 ? 415 : 400, body: { error } });
      expect((await caller.get('/plants')).body).toEqual([]);
    });

    it('rejects bytes that are not UTF-8 with error 1006, if the gateway passes them', async () => {
      const { status, body } = await newCaller(target()).send(method, path, headers, latin1);
      const isPassed = target().gateway.passesBytes || headers['content-type'] !== 'application/json';
      if (isPassed) expect({ status, body }).toMatchObject({ status: 400, body: { error: 1006 } });
      else expect({ status, body }).toMatchObject({ status: 201, body: { name: '\ufffd' } });
    });

    it('accepts a body of 64 KB', async () => {
      const { status } = await newCaller(target()).send(method, path, headers, padded(64_000));
      expect(status).toBe(method === 'POST' ? 201 : 404);
    });
  });
};

/** What a function logs for refused bodies. A test can read the log only if the function runs in process. */
export const describeLogsOfBodies = (target: () => Target): void => {
  it.each(requestsWithBody)(
    'no refused body of %s %s writes a line at level ERROR or WARN',
    async (method, path, headers) => {
      const caller = newCaller(target());
      const levels = [vi.mocked(console.error), vi.mocked(console.warn)];
      for (const level of levels) level.mockClear();
      for (const [, , content, more = {}] of refusedBodies)
        await caller.send(method, path, { ...headers, ...more }, content);
      expect(levels.flatMap(({ mock }) => mock.calls)).toEqual([]);
    },
  );
};

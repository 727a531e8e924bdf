import { randomUUID } from 'node:crypto';
import { fields } from '../table/fields.ts';
import { requiredSamples } from '../table/sample-values.ts';
import { expectStatus, failCheck } from './expectations.ts';
import type { Check } from './service-under-test.ts';

const plant = JSON.stringify({ ...requiredSamples(fields), name: 'Smoke test' });
const change = JSON.stringify({ tag: 'changed' });

/** Sends a POST twice, finds the plant, changes it, and deletes it even if one of these steps fails. */
const addsFindsChangesAndDeletes: Check = async ({ send }, token) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const keyed = { ...headers, 'idempotency-key': `smoke-${randomUUID()}` };
  const added = await send('/plants', keyed, 'POST', plant);
  expectStatus('POST /plants', added, 'status 201');
  const { location = '', etag = '' } = added.headers;
  const target = `/${location}`;
  try {
    const again = await send('/plants', keyed, 'POST', plant);
    expectStatus('POST /plants with the same key', again, 'status 201');
    if (again.headers['location'] !== location)
      failCheck('POST /plants with the same key: added another plant');
    expectStatus('GET /plants/{id}', await send(target), 'status 200');
    const condition = { ...headers, 'if-match': etag };
    expectStatus('PATCH /plants/{id}', await send(target, condition, 'PATCH', change), 'status 200');
    const late = await send(target, condition, 'PATCH', plant);
    expectStatus('PATCH /plants/{id} of an earlier version', late, 'status 412 with error 1012');
  } finally {
    expectStatus('DELETE /plants/{id}', await send(target, headers, 'DELETE'), 'status 204');
  }
  expectStatus('GET /plants/{id} of a deleted plant', await send(target), 'status 404 with error 1005');
  return undefined;
};

/** The checks of the operations on one plant by what they show. They delete the plant that they add. */
export const plantChecks: Readonly<Record<string, Check>> = {
  'adds a plant once, finds it, changes it, and deletes it': addsFindsChangesAndDeletes,
};

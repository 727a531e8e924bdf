import { expect, it } from 'vitest';
import { fields } from '../../../table/fields.ts';
import { changedPlant, changeIn, fieldsIn } from '../../../table/json-fields.ts';

const members = `Send only the members ${Object.keys(fields).join(', ')}.`;
const nameRule = 'Send a text of 1 to 900 bytes in UTF-8 without U+0000.';

it('reads the fields of a new plant in the order of their declaration, and leaves out null', () => {
  const { values } = fieldsIn({
    planted: '2026-11-28T18:00:00Z',
    indoor: false,
    tag: null,
    height: 0,
    name: 'Fern',
  });
  expect(JSON.stringify(values)).toBe(
    '{"name":"Fern","height":0,"indoor":false,"planted":"2026-11-28T18:00:00Z"}',
  );
});

it.each<[object, problem: string]>([
  [{}, `The field name is missing. ${nameRule}`],
  [{ name: null }, `The field name is not valid. ${nameRule}`],
  [{ name: '' }, `The field name is not valid. ${nameRule}`],
  [{ name: 'a\u0000' }, `The field name is not valid. ${nameRule}`],
  [{ name: '\ud800' }, `The field name is not valid. ${nameRule}`],
  [{ name: { toString: 1 } }, `The field name is not valid. ${nameRule}`],
  [{ name: ['Fern'] }, `The field name is not valid. ${nameRule}`],
  [{ name: 5 }, `The field name is not valid. ${nameRule}`],
  [
    { name: 'Fern', tag: '竹'.repeat(301) },
    'The field tag is not valid. Send a text of at most 900 bytes in UTF-8.',
  ],
  [{ name: 'Fern', height: '5' }, 'The field height is not valid. Send a number from 0 to 200.'],
  [
    JSON.parse('{"name":"Fern","height":1e400}'),
    'The field height is not valid. Send a number from 0 to 200.',
  ],
  [{ name: 'Fern', height: 1e-200 }, 'The field height is not valid. Send a number from 0 to 200.'],
  [{ name: 'Fern', indoor: 'true' }, 'The field indoor is not valid. Send true or false.'],
  [
    { name: 'Fern', planted: '2026-02-30T00:00:00Z' },
    'The field planted is not valid. Send a time in UTC such as 2026-11-28T18:00:00Z.',
  ],
  [{ name: 'Fern', id: '1' }, `The body has an unknown member. ${members}`],
  [JSON.parse('{"name":"Fern","__proto__":{}}'), `The body has an unknown member. ${members}`],
])('refuses %j as a new plant', (json, problem) => {
  expect(fieldsIn({ ...json })).toEqual({ problem });
});

it('reads a change of some fields, and an empty change', () => {
  expect(changeIn({ tag: null, name: 'Rose' })).toEqual({ values: { name: 'Rose', tag: null } });
  expect(changeIn({})).toEqual({ values: {} });
});

it('refuses a change that removes the name', () => {
  expect(changeIn({ name: null })).toEqual({ problem: `The field name is not valid. ${nameRule}` });
});

it('sets the new values of a change, removes the fields that are null, and keeps all others', () => {
  const plant = { id: '1', name: 'Fern', tag: 'fern', height: 5 };
  expect(JSON.stringify(changedPlant(plant, { indoor: true, tag: null, name: 'Rose' }))).toBe(
    '{"id":"1","name":"Rose","height":5,"indoor":true}',
  );
});

import { expect, it } from 'vitest';
import { ruleOf } from '../../../table/field-kinds.ts';
import { fields } from '../../../table/fields.ts';
import { changedPlant, changeIn, fieldsIn } from '../../../table/json-fields.ts';
import {
  declaredFields,
  optionalNames,
  withoutOptional,
  wrongValues,
} from '../../support/table/field-limits.ts';
import { samplesOf } from '../../../table/sample-values.ts';
import { plantWith } from '../../support/table/field-samples.ts';

const members = `Send only the members ${Object.keys(fields).join(', ')}.`;
const nameRule = 'Send a text of 1 to 900 bytes in UTF-8 without U+0000.';

it('reads the fields of a new plant in the order of their declaration', () => {
  const samples = samplesOf(declaredFields);
  const inOtherOrder = Object.fromEntries(Object.entries(samples).toReversed());
  expect(JSON.stringify(fieldsIn(inOtherOrder).values)).toBe(JSON.stringify(samples));
});

it('reads no value from an optional field that is null', () => {
  const values = plantWith({ name: 'Fern' });
  expect(fieldsIn({ ...values, ...withoutOptional })).toEqual({ values });
});

it.each(
  declaredFields.flatMap(([name, field]) =>
    wrongValues(field).map(([what, value]) => [what, name, ruleOf(field), value] as const),
  ),
)('refuses %s as %s with the rule "%s"', (_, name, rule, value) => {
  const problem = `The field ${name} is not valid. Send ${rule}.`;
  expect(fieldsIn({ ...plantWith({}), [name]: value })).toEqual({ problem });
});

it.each<[object, problem: string]>([
  [{ ...plantWith({}), name: undefined }, `The field name is missing. ${nameRule}`],
  [{ ...plantWith({}), name: '\ud800' }, `The field name is not valid. ${nameRule}`],
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
  const samples = samplesOf(declaredFields);
  const [removed = ''] = optionalNames;
  const plant = plantWith({ id: '1', ...samples });
  const expected = { ...plant, ...samples, name: 'Rose', [removed]: undefined };
  expect(JSON.stringify(changedPlant(plant, { [removed]: null, name: 'Rose' }))).toBe(
    JSON.stringify(expected),
  );
});

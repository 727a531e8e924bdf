import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Field } from '../../../table/field-kinds.ts';
import { fields } from '../../../table/fields.ts';

const schema = z.object({ required: z.array(z.string()), properties: z.record(z.string(), z.unknown()) });
const { schemas } = z
  .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
  .parse(parse(readFileSync('openapi.yaml', 'utf8'))).components;
const declared: readonly (readonly [name: string, field: Field])[] = Object.entries(fields);

it('openapi.yaml has a property of Plant for each field', () => {
  const { properties } = schema.parse(schemas['Plant']);
  const names = Object.keys(properties).filter((name) => name !== 'id');
  expect(names.toSorted()).toEqual(declared.map(([name]) => name).toSorted());
});

// A service with operations that write has the schema NewPlant too.
it.each(['Plant', 'NewPlant'].filter((name) => name in schemas))(
  'openapi.yaml lists the required fields under `required` of %s',
  (name) => {
    const required = schema.parse(schemas[name]).required.filter((member) => member !== 'id');
    const expected = declared.filter(([, field]) => field.required === true).map(([member]) => member);
    expect(required.toSorted()).toEqual(expected.toSorted());
  },
);

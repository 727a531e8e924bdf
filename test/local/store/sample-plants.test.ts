import { expect, it } from 'vitest';
import { samplePlants } from '../../../local/store/sample-plants.ts';
import { fields } from '../../../table/fields.ts';
import { isValid } from '../../../table/field-kinds.ts';

it.each(samplePlants)('local/store/sample-plants.ts has valid values for $name', (plant) => {
  const values: Readonly<Record<string, unknown>> = plant;
  const wrong = Object.entries(fields).filter(([name, field]) =>
    values[name] === undefined ? 'required' in field : !isValid(field, values[name]),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});

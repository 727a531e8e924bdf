import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstVersion, nextVersion } from '../../../table/version.ts';
import { plantWith } from '../../support/table/field-samples.ts';

it('two plants have the same first version only if their principals, ids and fields are equal', () => {
  const fern = plantWith({ id: '1', name: 'Fern' });
  const plant = { ...fern, tag: 'fern' };
  const first = firstVersion('user#a', plant);
  expect(firstVersion('user#a', { tag: 'fern', ...fern })).toBe(first);
  const others = [{ ...plant, id: '2' }, { ...plant, tag: 'x' }, fern];
  const versions = others.map((other) => firstVersion('user#a', other));
  expect(new Set([first, firstVersion('group#a', plant), ...versions]).size).toBe(5);
});

// A request can be repeated late. If its version were current again, it would undo the changes made since.
it('a version never recurs, whatever the changes', () => {
  const changes = fc.array(fc.record({ tag: fc.constantFrom('a', 'b', null) }), { maxLength: 20 });
  fc.assert(
    fc.property(changes, (all) => {
      const versions = [firstVersion('user#a', plantWith({ id: '1', name: 'Fern' }))];
      for (const change of all) versions.push(nextVersion(versions.at(-1) ?? '', change));
      expect(new Set(versions).size).toBe(versions.length);
    }),
  );
});

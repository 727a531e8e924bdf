import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { ServiceError } from '../../../functions/shared/errors.ts';
import { sortKeyOf, storedPlant } from '../../support/table/stored-plants.ts';
import { expectedPage, scheduledList } from './list-model.ts';

/** Copies of few plants, with tags of different lengths and more bytes than letters. */
const plant = fc
  .record({
    name: fc.constantFrom('A', 'b', '水'.repeat(99), '\uffff', '\u{1f33f}'),
    id: fc.constantFrom('1', '2'),
    tag: fc.option(fc.string({ unit: fc.constantFrom('x', '水'), maxLength: 100 }), { nil: undefined }),
  })
  .map(({ name, id, tag }) => storedPlant(name, id, tag));
const plants = fc.uniqueArray(plant, { selector: ({ sortKey }) => sortKey });

/** In bytes: name, tag and the rest of the JSON. */
const mostPlantBytes = 300 + 300 + 30;

const cases = fc.integer({ min: 1, max: 2 }).chain((pageSize) =>
  fc.record({
    tables: fc.array(plants, { minLength: 1, maxLength: 12 }),
    // From about 50 on, no response can hold as many plants.
    limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 40, max: 300 })),
    // The position of an earlier list page, whose last plant may be deleted.
    after: fc.constantFrom(undefined, ...['A', 'b', '\uffff'].map((name) => sortKeyOf(name))),
    // One DynamoDB response fits a response of this service.
    maxBytes: fc.integer({ min: pageSize * mostPlantBytes, max: 2 * pageSize * mostPlantBytes }),
    pageSize: fc.constant(pageSize),
  }),
);

const tooLarge = new ServiceError(catalogue.resultTooLarge);

it('a list has each plant once, or is too large, in whichever order the responses arrive', async () => {
  const seen = { lists: 0, errors: 0 };
  await fc.assert(
    fc.asyncProperty(cases, fc.scheduler(), async (given, scheduler) => {
      const { tables, limit, after, maxBytes, pageSize } = given;
      const page = expectedPage(tables, limit, after);
      // `maxBytes` counts a comma for each plant, and no brackets. Lambda escapes the quotes of the body.
      const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(page.plants))) - '""['.length;
      const isTooLarge = page.plants.length > 0 && bytes > maxBytes;
      const { outcome, reads } = await scheduledList(scheduler, tables, pageSize, { limit, after, maxBytes });
      expect(outcome).toEqual(isTooLarge ? { error: tooLarge } : page);
      const positions = reads.map(({ query }) => `${query.principal} ${query.after ?? ''}`);
      expect(new Set(positions).size).toBe(positions.length);
      seen[isTooLarge ? 'errors' : 'lists'] += 1;
    }),
    { numRuns: 1000 },
  );
  // The generator must make many of both.
  expect(Math.min(seen.lists, seen.errors)).toBeGreaterThan(50);
});

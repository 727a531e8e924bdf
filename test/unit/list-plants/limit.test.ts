import { expect, it } from 'vitest';
import { ServiceError } from '../../../functions/http/service-error.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { parseLimit } from '../../../functions/list-plants/limit.ts';

it.each([0, 1, 10, 2_147_483_647])('a limit may be %i', (limit) => {
  expect(parseLimit([String(limit)])).toBe(limit);
});

it('a limit may be missing', () => {
  expect(parseLimit([])).toBeUndefined();
});

it.each('2147483648|12345678901||5\n| 5|05|5.0|-0|+5|1e3|0x1|٥|NaN'.split('|'))(
  'a limit is refused when it is %j',
  (limit) => {
    expect(() => parseLimit([limit])).toThrow(new ServiceError(catalogue.invalidLimit));
  },
);

it.each([
  ['1', '1'],
  ['1', ''],
])('a limit is refused when it occurs twice, as %j and %j', (...occurrences) => {
  expect(() => parseLimit(occurrences)).toThrow(new ServiceError(catalogue.invalidLimit));
});

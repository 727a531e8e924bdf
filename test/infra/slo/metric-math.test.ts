import { describe, expect, it } from 'vitest';
import { metricMath, type Value } from './metric-math.ts';

const values = new Map<string, Value>([
  ['six', 6],
  ['two', 2],
  ['zero', 0],
  ['missing', undefined],
]);
const valueOf = (text: string): Value => metricMath(text)((id) => values.get(id));

describe('metric math, as the tests of alarms read it,', () => {
  it.each<[string, Value]>([
    ['six - two - 1', 3],
    ['1 + two * 3', 7],
    ['100 * two / six', 100 / 3],
    ['six / zero', undefined],
    ['six + missing', undefined],
    ['FILL(missing, 0) + 1', 1],
    ['FILL(six, 0)', 6],
    ['IF(six < 5, 0, 1)', 1],
    ['IF(six < 7, 0, 1)', 0],
    ['IF(missing < 7, 0, 1)', undefined],
    ['IF(two < 5, 0, six / zero)', 0],
    ['six - (two - 1)', 5],
    ['MAX([two, six, missing])', 6],
    ['MAX([missing])', undefined],
  ])('%s is %s', (text, value) => {
    expect(valueOf(text)).toBe(value);
  });

  it.each([
    '',
    'six +',
    'six two',
    'RATE(six)',
    'six > 1',
    'six AND two',
    '(six',
    'MAX(six, two)',
    'IF(six, 1)',
    'six % 2',
    'FILL(six)',
  ])('is rejected when its syntax is not supported: %s', (text) => {
    expect(() => metricMath(text)).toThrow('not understood');
  });
});

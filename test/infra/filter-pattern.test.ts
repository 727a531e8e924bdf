import { describe, expect, it } from 'vitest';
import { filterPattern } from '../support/filter-pattern.ts';

const line = { level: 'ERROR', message: { event: 'request-failed', error: 2001, text: '2001' } };

describe('a filter pattern, as the tests of log lines read it,', () => {
  it.each<[string, boolean]>([
    ['{ $.message.event = "request-failed" }', true],
    ['{ $.message.event = "request" }', false],
    ['{ $.event = "request-failed" }', false],
    ['{ $.message.event.name = "request-failed" }', false],
    ['{ $.message.error >= 2001 }', true],
    ['{ $.message.error >= 2002 }', false],
    ['{ $.message.text >= 2000 }', false],
    ['{ ($.message.event = "request-failed") && ($.message.error >= 2000) }', true],
    ['{ ($.message.event = "request-failed") && ($.message.error >= 3000) }', false],
    ['{ $.message.text = %^2[0-9]{3}$% }', true],
    ['{ $.message.text = %^3|^2$% }', false],
    ['{ $.message.error = %2001% }', false],
    ['{ ($.message.event = "other") || ($.message.error >= 2000) }', true],
    ['{ ($.message.event = "other") || ($.message.event = "another") }', false],
  ])('%s matches the line of a failed request: %s', (pattern, matches) => {
    expect(filterPattern(pattern)(line)).toBe(matches);
  });

  it.each([
    '',
    '{ }',
    'ERROR',
    '{ $.message.event = request-failed }',
    '{ $.message.error = 2001 }',
    '{ $.message.text = %^(2|3)% }',
    '{ $.message.error > 2000 }',
    '{ $.message.event != "request-failed" }',
    '{ $.message.event = "a" && $.message.error >= 2000 }',
    '{ ($.message.event = "a") && ($.message.error >= 2000) || ($.message.error >= 3000) }',
  ])('is rejected when its syntax is not supported: %s', (pattern) => {
    expect(() => filterPattern(pattern)).toThrow('filter pattern');
  });
});

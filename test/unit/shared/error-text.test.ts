import { expect, it } from 'vitest';
import { errorText } from '../../../functions/shared/errors.ts';

it.each([
  ['an error', new RangeError('Rose'), 'RangeError'],
  ['an error of the system', Object.assign(new Error('Rose'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['an error with a number as its code', Object.assign(new RangeError('Rose'), { code: 5 }), 'RangeError'],
  ['a thrown text', 'Rose', 'string'],
  ['a thrown null', null, 'object'],
])('a log names %s without its message', (_, error, text) => {
  expect(errorText(error)).toBe(text);
});

import { expect, it } from 'vitest';
import { readable } from '../../../local/lambda/log-line.ts';

it.each<[string, string, unknown, string]>([
  [
    'the event and its details, without the version',
    'ERROR',
    { event: 'damaged-items', version: '7', count: 2 },
    'ERROR damaged-items, count: 2',
  ],
  [
    'no detail that is missing',
    'INFO',
    { event: 'denied', reason: 'audience', kid: undefined },
    'INFO denied, reason: audience',
  ],
  [
    'the stack of an error',
    'ERROR',
    { errorType: 'Error', stackTrace: ['Error: no keys', '    at keys (jwks.ts:1:1)'] },
    'ERROR errorType: Error\n    Error: no keys\n    at keys (jwks.ts:1:1)',
  ],
  ['a text', 'INFO', 'plants: 2', 'INFO plants: 2'],
])('a readable log entry contains %s', (_, level, message, expected) => {
  expect(readable(level, message)).toBe(expected);
});

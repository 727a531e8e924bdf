import { expect, it } from 'vitest';
import { readable } from '../../local/log-line.ts';

it.each<[string, string, object, string]>([
  [
    'the event and its details, without the version',
    'ERROR',
    { event: 'damaged-items', version: '7', count: 2 },
    'ERROR damaged-items count: 2',
  ],
  [
    'no detail that is missing',
    'INFO',
    { event: 'denied', reason: 'audience', kid: undefined },
    'INFO denied reason: audience',
  ],
  [
    'the stack of an error that the function handled',
    'ERROR',
    { event: 'request-failed', error: 2000, cause: 'TypeError', stack: ['at list (list.ts:41:26)', 'at b'] },
    'ERROR request-failed error: 2000, cause: TypeError\n    at list (list.ts:41:26)\n    at b',
  ],
  [
    'the stack of an uncaught error',
    'ERROR',
    {
      errorType: 'Error',
      errorMessage: 'no keys',
      stackTrace: ['Error: no keys', '    at keys (jwks.ts:1:1)'],
    },
    'ERROR errorType: Error, errorMessage: no keys\n    at keys (jwks.ts:1:1)',
  ],
])('a readable line of a function’s log contains %s', (_, level, message, expected) => {
  const line = { timestamp: '2026-01-01T00:00:00.000Z', level, requestId: '1', message };
  expect(readable(JSON.stringify(line))).toBe(expected);
});

it.each(['not JSON', '{}', '[1]', JSON.stringify({ level: 'INFO', message: 'text' })])(
  'a line is unchanged when it is not a log entry: %s',
  (text) => {
    expect(readable(text)).toBe(text);
  },
);

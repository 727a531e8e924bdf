import { describe, expect, it } from 'vitest';
import { readable } from '../../local/log-line.ts';

const line = (level: string, message: unknown): string =>
  readable(JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', level, requestId: '1', message }));

describe('a readable line of a function’s log', () => {
  it('contains the event and its details, without the version', () => {
    expect(line('ERROR', { event: 'damaged-items', version: '7', count: 2 })).toBe(
      'ERROR damaged-items count: 2',
    );
    expect(line('INFO', { event: 'denied', reason: 'audience', kid: undefined })).toBe(
      'INFO denied reason: audience',
    );
  });

  it('contains the stack of an error that the function handled', () => {
    const stack = ['at listPlants (/p/functions/list-plants/list-plants.ts:41:26)', 'at run (x.ts:1:1)'];
    expect(line('ERROR', { event: 'request-failed', error: 2000, cause: 'TypeError', stack })).toBe(
      `ERROR request-failed error: 2000, cause: TypeError
    at listPlants (/p/functions/list-plants/list-plants.ts:41:26)
    at run (x.ts:1:1)`,
    );
  });

  it('contains the stack of an uncaught error', () => {
    const stackTrace = ['Error: no keys', '    at keys (jwks.ts:1:1)'];
    expect(line('ERROR', { errorType: 'Error', errorMessage: 'no keys', stackTrace })).toBe(
      'ERROR errorType: Error, errorMessage: no keys\n    at keys (jwks.ts:1:1)',
    );
  });

  it.each(['not JSON', '{}', '[1]', JSON.stringify({ level: 'INFO', message: 'text' })])(
    'is unchanged when it is not a log entry: %s',
    (text) => {
      expect(readable(text)).toBe(text);
    },
  );
});

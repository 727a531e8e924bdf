import { describe, expect, it } from 'vitest';
import { logger } from '../../../functions/shared/logger.ts';
import { recordingLog } from '../../support/recording-log.ts';

describe('each log entry', () => {
  it.each([
    ['the deployed commit and version', { AWS_LAMBDA_FUNCTION_VERSION: '7' }, { version: '7' }],
    ['an unknown version when there is none', {}, { version: 'unknown' }],
  ])('contains %s, and keeps its level', (_, environment, deployed) => {
    const sink = recordingLog();
    const log = logger(sink, environment);
    log.info({ event: 'a' });
    log.warn({ event: 'b' });
    log.error({ event: 'c' });
    expect(sink.entries).toEqual([
      ['info', { event: 'a', ...deployed }],
      ['warn', { event: 'b', ...deployed }],
      ['error', { event: 'c', ...deployed }],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { logger } from '../../../functions/shared/logger.ts';
import { recordingLog } from '../../support/recording-log.ts';

describe('each log entry', () => {
  it.each([
    ['the deployed commit', { DEPLOYED_COMMIT: 'c6322bc' }, 'c6322bc'],
    ['an unknown commit when none was deployed', {}, 'unknown'],
  ])('contains %s, and keeps its level', (_, environment, commit) => {
    const sink = recordingLog();
    const log = logger(sink, environment);
    log.info({ event: 'a' });
    log.warn({ event: 'b' });
    log.error({ event: 'c' });
    expect(sink.entries).toEqual([
      ['info', { event: 'a', commit }],
      ['warn', { event: 'b', commit }],
      ['error', { event: 'c', commit }],
    ]);
  });
});

import { expect, it } from 'vitest';
import { logger } from '../../../functions/runtime/logger.ts';
import { recordingLog } from '../../support/recording-log.ts';

it.each([
  [{ AWS_LAMBDA_FUNCTION_VERSION: '7' }, { version: '7' }],
  [{}, { version: 'unknown' }],
])('with the variables %j, writes each entry at its level with %j', (environment, deployed) => {
  const sink = recordingLog();
  const log = logger(sink, environment);
  for (const level of ['info', 'warn', 'error'] as const) log[level]({ event: level });
  expect(sink.entries).toEqual(sink.entries.map(([level]) => [level, { event: level, ...deployed }]));
  expect(sink.entries).toHaveLength(3);
});

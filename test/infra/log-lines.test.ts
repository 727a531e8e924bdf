import { expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../functions/list-plants/errors.ts';
import {
  type AuthorizerLogEntry,
  type ListLogEntry,
  type LogEvent,
  signedTokenDenials,
  unsignedTokenDenials,
} from '../../functions/shared/log-events.ts';
import { filterPattern, select } from '../support/filter-pattern.ts';
import { propertiesOf } from '../support/resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';

const prod = templateOf(stageNamed('prod'));
const filterSchema = z.object({
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([z.object({ MetricName: z.string(), MetricValue: z.string() })]),
});
const filters = z
  .array(filterSchema)
  .parse(propertiesOf(prod, 'AWS::Logs::MetricFilter'))
  .map(({ FilterPattern, MetricTransformations: [{ MetricName, MetricValue }] }) => ({
    metric: MetricName,
    matches: filterPattern(FilterPattern),
    value: (line: unknown) => (MetricValue.startsWith('$') ? select(line, MetricValue) : Number(MetricValue)),
  }));

/** The metrics that CloudWatch derives from a line, with the values that it adds to them. */
const counted = (line: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    filters.flatMap(({ metric, matches, value }) => (matches(line) ? [[metric, value(line)]] : [])),
  );

type LogEntry = AuthorizerLogEntry | ListLogEntry;

/** What each entry adds to metrics. Unit tests hold when the functions log which. */
const countedEntries: Readonly<Record<LogEvent, readonly (readonly [LogEntry, object])[]>> = {
  denied: [
    ...unsignedTokenDenials.map((reason) => [{ event: 'denied', reason }, { Denials: 1 }] as const),
    ...signedTokenDenials.map((reason) => {
      const metrics = reason === 'lifetime' ? { Denials: 1 } : { Denials: 1, DeniedCallers: 1 };
      return [{ event: 'denied', reason }, metrics] as const;
    }),
  ],
  // Lambda counts it as an error of the function.
  undecided: [[{ event: 'undecided', cause: 'JwksUnavailable', reason: 'unknown-key' }, {}]],
  'warm-up-failed': [[{ event: 'warm-up-failed', cause: 'Timeout' }, {}]],
  'key-set-refresh-failed': [
    [{ event: 'key-set-refresh-failed', ageSeconds: 700, cause: 'ECONNREFUSED' }, { KeySetFailures: 1 }],
  ],
  'key-set-unavailable': [[{ event: 'key-set-unavailable', cause: 'ECONNREFUSED' }, { KeySetFailures: 1 }]],
  'damaged-items': [[{ event: 'damaged-items', count: 2 }, { DamagedItems: 2 }]],
  // The caller can mend a 1xxx.
  'request-failed': Object.values(catalogue).map(({ error }) => [
    { event: 'request-failed', error },
    error >= 2000 ? { RetryableErrors: 1 } : {},
  ]),
};

// Which log a filter reads is in the snapshot of the template.
it.each(Object.values(countedEntries).flat())(
  'a log line with %j adds to the metrics %j',
  (message, metrics) => {
    expect(counted({ timestamp: '2026-11-23T00:00:00Z', level: 'INFO', message })).toEqual(metrics);
  },
);

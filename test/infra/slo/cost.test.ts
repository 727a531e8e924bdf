import { expect, it } from 'vitest';
import { z } from 'zod';
import { readDocument } from '../../support/markdown.ts';
import { propertiesOf } from '../../support/resources.ts';
import { stageNamed, templateOf } from '../../support/synthesized.ts';

const queries = z.object({ Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional() });

it('docs/slo.md has the price of the alarms and the metrics from logs', () => {
  const prod = templateOf(stageNamed('prod'));
  const inAlarms = propertiesOf(prod, 'AWS::CloudWatch::Alarm')
    .map(
      (alarm) =>
        queries.parse(alarm).Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1,
    )
    .reduce((sum, each) => sum + each, 0);
  const composite = propertiesOf(prod, 'AWS::CloudWatch::CompositeAlarm').length;
  const fromLogs = propertiesOf(prod, 'AWS::Logs::MetricFilter').length;
  const dollars = (inAlarms * 0.1 + composite * 0.5 + fromLogs * 0.3).toFixed(2);
  expect(readDocument('docs/slo.md').replaceAll('\n', ' ')).toContain(
    `${String(inAlarms)} metrics in alarms, ${String(composite)} composite alarms and ${String(fromLogs)} metrics from logs are $${dollars}.`,
  );
});

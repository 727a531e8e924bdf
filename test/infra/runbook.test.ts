import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readDocument } from '../support/markdown.ts';
import { propertiesOf } from '../support/resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';

const alarm = z.object({
  EvaluationPeriods: z.number(),
  Period: z.number().default(0),
  Metrics: z
    .array(
      z.object({ Period: z.number().default(0), MetricStat: z.object({ Period: z.number() }).optional() }),
    )
    .default([]),
});

describe('the queries of the runbook', () => {
  it('look back as far as the slowest alarm', () => {
    const [, hours = ''] = /^HOURS=(\d+)\b/m.exec(readDocument('docs/runbook.md')) ?? [];
    const alarms = z
      .array(alarm)
      .parse(propertiesOf(templateOf(stageNamed('prod')), 'AWS::CloudWatch::Alarm'));
    const seconds = alarms.map(
      ({ EvaluationPeriods, Period, Metrics }) =>
        EvaluationPeriods *
        Math.max(Period, ...Metrics.map((metric) => metric.MetricStat?.Period ?? metric.Period)),
    );
    expect(Number(hours) * 3600).toBeGreaterThanOrEqual(Math.max(...seconds));
    expect(Math.min(...seconds)).toBeGreaterThan(0);
  });
});

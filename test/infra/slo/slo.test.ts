import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { propertiesOf } from '../../support/resources.ts';
import { operationIds, stageNamed, templateOf } from '../../support/synthesized.ts';
import { alarmsIn } from './alarms.ts';
import { nights, type Scenario, scenariosAt } from './scenarios.ts';
import { seriesOf } from './traffic.ts';

const prod = templateOf(stageNamed('prod'));
const all = alarmsIn(prod);
const rollback = z
  .array(
    z.object({
      AlarmConfiguration: z.object({ Alarms: z.array(z.object({ Name: z.object({ Ref: z.string() }) })) }),
    }),
  )
  .parse(propertiesOf(prod, 'AWS::CodeDeploy::DeploymentGroup'))
  .flatMap(({ AlarmConfiguration: { Alarms } }) => Alarms.map(({ Name: { Ref } }) => Ref));
/** Of the operations' alarms, which are alike, that of the list is evaluated. */
const others = operationIds.filter((id) => id !== 'ListPlants').map((id) => `${id}Release`);
const watched = all.filter(
  ({ id, logicalId, notifies }) => notifies || (rollback.includes(logicalId) && !others.includes(id)),
);

/** As long as the longest window, so that it is full before something happens and empty in the end. */
const lead = 360;

/** Which alarms go off when, as scenarios write it. */
const alarmsOf = ({ minutes, normal }: Scenario): string => {
  const around = Array.from({ length: lead }, () => normal);
  const series = seriesOf([...around, ...minutes, ...around]);
  return watched
    .flatMap(({ id, isOn }) => {
      const on = Array.from({ length: minutes.length + lead }, (_, index) => index + 1).filter((minute) =>
        isOn(series, lead + minute - 1),
      );
      const [from, to] = [on[0], on.at(-1)];
      return from === undefined || to === undefined ? [] : [{ id, from, to }];
    })
    .toSorted((a, b) => a.from - b.from)
    .map(({ id, from, to }) => `${id} ${String(from)}-${String(to)}`)
    .join(', ');
};

describe.each([10, 500] as const)('at %i requests per second, the alarms that go off for', (rate) => {
  it.each(scenariosAt(rate))('$name: $alarms', (scenario) => {
    expect(alarmsOf(scenario)).toBe(scenario.alarms);
  });
});

describe('with few requests, the alarms that go off for', () => {
  it.each(nights)('$name: $alarms', (scenario) => {
    expect(alarmsOf(scenario)).toBe(scenario.alarms);
  });
});

it('an alarm references ten metrics at most, and looks back a day at most', () => {
  const metrics = z.array(z.looseObject({ MetricStat: z.looseObject({ Period: z.number() }).optional() }));
  for (const { Metrics = [], EvaluationPeriods } of z
    .array(z.looseObject({ Metrics: metrics.optional(), EvaluationPeriods: z.number() }))
    .parse(propertiesOf(prod, 'AWS::CloudWatch::Alarm'))) {
    const periods = Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
    expect(periods.length).toBeLessThanOrEqual(10);
    expect(Math.max(0, ...periods) * EvaluationPeriods).toBeLessThanOrEqual(86_400);
  }
});

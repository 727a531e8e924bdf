import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { signedTokenDenials, unsignedTokenDenials } from '../../../functions/shared/log-events.ts';
import { readDocument } from '../../support/markdown.ts';
import { propertiesOf, rollbackAlarmsOf } from '../../support/resources.ts';
import { operationIds, stageNamed, templateOf } from '../../support/synthesized.ts';
import { alarmsIn } from './alarms.ts';
import { nights, type Scenario, scenariosAt } from './scenarios.ts';
import { arrivedBy, seriesOf } from './traffic.ts';

const prod = templateOf(stageNamed('prod'));
const all = alarmsIn(prod);
const rollback = rollbackAlarmsOf(prod);
/** All operations have the same alarm, so only the list's is evaluated. */
const others = operationIds.filter((id) => id !== 'ListPlants').map((id) => `${id}Release`);
const watched = all.filter(
  ({ id, logicalId, notifies }) => notifies || (rollback.includes(logicalId) && !others.includes(id)),
);

/** The longest window in minutes. Normal traffic of this length precedes and follows a scenario. */
const lead = 720;

/** The alarms that fire, in the notation of `Scenario.alarms`. */
const alarmsOf = ({ minutes, normal, logsLate = 0 }: Scenario): string => {
  const around = Array.from({ length: lead }, () => normal);
  const series = seriesOf([...around, ...minutes, ...around]);
  return watched
    .flatMap(({ id, isOn }) => {
      const states = Array.from({ length: minutes.length + lead }, (_, index) =>
        isOn(arrivedBy(series, lead + index, logsLate), lead + index),
      );
      const from = states.flatMap((state, index) => (state && states[index - 1] !== true ? [index + 1] : []));
      const to = states.flatMap((state, index) => (state && states[index + 1] !== true ? [index + 1] : []));
      return from.map((first, index) => ({ id, first, last: to[index] }));
    })
    .toSorted((a, b) => a.first - b.first)
    .map(({ id, first, last }) => `${id} ${String(first)}-${String(last)}`)
    .join(', ');
};

describe.each([10, 500] as const)('at %i requests per second, the alarms that fire for', (rate) => {
  it.each(scenariosAt(rate))('$name: [$alarms]', (scenario) => {
    expect(alarmsOf(scenario)).toBe(scenario.alarms);
  });
});

describe('with few requests, the alarms that fire for', () => {
  it.each(nights)('$name: [$alarms]', (scenario) => {
    expect(alarmsOf(scenario)).toBe(scenario.alarms);
  });
});

/** The rows of the table below a text of docs/slo.md, without code marks; `none` is empty. */
const rowsBelow = (text: string): readonly (readonly string[])[] =>
  (readDocument('docs/slo.md').split(text)[1]?.split('\n\n')[1] ?? '')
    .replaceAll('`', '')
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim().replace(/^none$/, ''))
        .slice(1, -1),
    );

describe('docs/slo.md shows the simulated alarms', () => {
  const simulated = new Map([...scenariosAt(10), ...nights].map(({ name, alarms }) => [name, alarms]));

  it.each(rowsBelow('What some series set off'))('for %s', (name = '', alarms = '') => {
    expect(simulated.get(name)).toBe(alarms);
  });

  it('for a version that denies everybody, for each reason', () => {
    const rows = rowsBelow('A version that denies everybody:').flatMap(([reasons = '', released, inCanary]) =>
      reasons.split(', ').map((reason) => [reason, released, inCanary]),
    );
    expect(rows.toSorted()).toEqual(
      [...unsignedTokenDenials, ...signedTokenDenials]
        .map((reason) => [
          reason,
          simulated.get(`all are denied for ${reason}`),
          simulated.get(`canary of an authorizer that denies all for ${reason}`),
        ])
        .toSorted(),
    );
  });
});

it('an alarm with metric math references ten metrics at most, and looks back a day at most', () => {
  const metrics = z.array(z.looseObject({ MetricStat: z.looseObject({ Period: z.number() }).optional() }));
  for (const { Metrics = [], EvaluationPeriods } of z
    .array(z.looseObject({ Metrics: metrics.optional(), EvaluationPeriods: z.number() }))
    .parse(propertiesOf(prod, 'AWS::CloudWatch::Alarm'))) {
    const periods = Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
    expect(periods.length).toBeLessThanOrEqual(10);
    expect(Math.max(0, ...periods) * EvaluationPeriods).toBeLessThanOrEqual(86_400);
  }
});

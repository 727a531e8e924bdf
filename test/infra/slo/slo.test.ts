import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { burns, objective } from '../../../infra/monitoring/objective.ts';
import { readDocument } from '../../support/markdown.ts';
import { propertiesOf } from '../../support/resources.ts';
import { stageNamed, templateOf } from '../../support/synthesized.ts';
import { alarmsIn } from './alarms.ts';
import { nights, type Scenario, scenariosAt } from './scenarios.ts';
import { seriesOf } from './traffic.ts';

const prod = templateOf(stageNamed('prod'));
const alarms = alarmsIn(prod).filter(({ notifies }) => notifies);
const rollbackAlarms = z
  .array(
    z.object({
      AlarmConfiguration: z.object({ Alarms: z.array(z.object({ Name: z.object({ Ref: z.string() }) })) }),
    }),
  )
  .parse(propertiesOf(prod, 'AWS::CodeDeploy::DeploymentGroup'))
  .flatMap(({ AlarmConfiguration: { Alarms } }) => Alarms.map(({ Name: { Ref } }) => Ref));
const rollsBack = (id: string): boolean => rollbackAlarms.some((each) => each.startsWith(`Alarms${id}`));

/** As long as the longest window, so that it is full before something happens and empty in the end. */
const lead = 360;

interface Ring {
  readonly id: string;
  /** In minutes since the beginning: 1 is after the first minute. */
  readonly from: number;
  readonly to: number;
}

/** Which alarms go off when. */
const ringsIn = ({ minutes, normal }: Scenario): readonly Ring[] => {
  const around = Array.from({ length: lead }, () => normal);
  const series = seriesOf([...around, ...minutes, ...around]);
  return alarms
    .flatMap(({ id, isOn }) => {
      const on = Array.from({ length: minutes.length + lead }, (_, index) => index + 1).filter((minute) =>
        isOn(series, lead + minute - 1),
      );
      const [from, to] = [on[0], on.at(-1)];
      return from === undefined || to === undefined ? [] : [{ id, from, to }];
    })
    .toSorted((a, b) => a.from - b.from);
};

const cellOf = (rings: readonly Ring[]): string =>
  rings
    .map(({ id, from, to }) => `${rollsBack(id) ? `**${id}**` : id} ${String(from)}–${String(to)}`)
    .join(', ') || 'none';

const rates = [10, 1000] as const;
const atRates = rates.map((rate) =>
  scenariosAt(rate).map((scenario) => ({ name: scenario.name, rate, rings: ringsIn(scenario) })),
);
const atNight = nights.map((scenario) => ({ name: scenario.name, rings: ringsIn(scenario) }));

/** As Prettier writes it. */
const table = (rows: readonly (readonly string[])[]): string => {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const padded = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  return [padded[0], line(widths.map((width) => '-'.repeat(width))), ...padded.slice(1)].join('\n');
};

const [at10 = [], at1000 = []] = atRates;
const tables = {
  rates: table([
    ['series', '10 requests per second', '1,000 requests per second'],
    ...at10.map(({ name, rings }, index) => [name, cellOf(rings), cellOf(at1000[index]?.rings ?? [])]),
  ]),
  nights: table([['series', 'alarms'], ...atNight.map(({ name, rings }) => [name, cellOf(rings)])]),
};

it('docs/slo.md shows which alarm goes off when; vitest -u writes it', async () => {
  const written = readDocument('docs/slo.md').replaceAll(
    /(?<=<!-- (rates|nights) -->\n\n).*?(?=\n\n<!-- end -->)/gs,
    (_, name: string) => (name === 'rates' ? tables.rates : tables.nights),
  );
  await expect(written).toMatchFileSnapshot('../../../docs/slo.md');
});

const all = [...atRates.flat(), ...atNight.map((each) => ({ ...each, rate: 0 }))];
const rollbackIn = (rings: readonly Ring[]): readonly Ring[] => rings.filter(({ id }) => rollsBack(id));
const isBadRelease = /^canary of (?:a list function|a slow|an authorizer)|^the same, and the attacker/;
const isOutage = /^an outage|the issuer is out|every tenth short list|a latency burn/;

it.each(all.filter(({ name }) => isBadRelease.test(name)))(
  'rolls back within its five minutes, at $rate requests per second: $name',
  ({ rings }) => {
    expect(rollbackIn(rings).filter(({ from }) => from <= 5)).not.toEqual([]);
  },
);

it.each(all.filter(({ name }) => !isBadRelease.test(name) && !isOutage.test(name)))(
  'rolls nothing back, at $rate requests per second: $name',
  ({ rings }) => {
    expect(rollbackIn(rings)).toEqual([]);
  },
);

describe('the alarms', () => {
  const idsOf = (all: readonly { readonly name: string; readonly rings: readonly Ring[] }[], name: string) =>
    all.find((each) => each.name === name)?.rings.map(({ id }) => id);

  it.each([at10, at1000])('tell an attacker from a service that denies everybody', (...all) => {
    expect(idsOf(all, 'an attacker with made-up tokens, 100 per second')).not.toContain('DeniedCallers');
    expect(idsOf(all, 'an attacker who repeats one expired token, 100 per second')).not.toContain(
      'DeniedCallers',
    );
    expect(idsOf(all, 'the stage’s audience is wrong: everybody is denied')).toContain('DeniedCallers');
  });

  it('let people sleep when a single request fails at night', () => {
    expect(idsOf(atNight, 'a night without traffic')).toEqual([]);
    expect(idsOf(atNight, 'the same, and one request that fails')).toEqual([]);
    expect(idsOf(atNight, 'a request a minute, and one fails')).toEqual([]);
    expect(idsOf(atNight, 'a request a minute, and all fail for an hour')).toEqual(['SlowBurn']);
  });

  it('that roll a release back are on one metric or expression each, ten at most', () => {
    const single = Object.keys(prod.findResources('AWS::CloudWatch::Alarm'));
    expect(rollbackAlarms.filter((id) => !single.includes(id))).toEqual([]);
    expect(new Set(rollbackAlarms).size).toBeLessThanOrEqual(10);
  });

  it('reference ten metrics at most each, and look back a day at most', () => {
    const metrics = z.array(z.looseObject({ MetricStat: z.looseObject({ Period: z.number() }).optional() }));
    for (const { Metrics = [], EvaluationPeriods } of z
      .array(z.looseObject({ Metrics: metrics.optional(), EvaluationPeriods: z.number() }))
      .parse(propertiesOf(prod, 'AWS::CloudWatch::Alarm'))) {
      const periods = Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
      expect(periods.length).toBeLessThanOrEqual(10);
      expect(Math.max(0, ...periods) * EvaluationPeriods).toBeLessThanOrEqual(86_400);
    }
  });
});

describe('the objective', () => {
  const document = readDocument('docs/slo.md');

  it('in docs/slo.md is the one in the stack', () => {
    expect(document).toContain(`${String(objective.availability)} % of requests`);
    expect(document).toContain(`${String(objective.latency)} % of lists of 20`);
    expect(document).toContain(`within ${String(objective.listMilliseconds)} ms`);
    expect(document).toContain(`${String(objective.days)} days`);
    for (const { rate } of Object.values(burns)) expect(document).toContain(`${String(rate)} times`);
  });

  it('is kept by AWS as well, with the windows of the alarms', () => {
    const objectives = propertiesOf(prod, 'AWS::ApplicationSignals::ServiceLevelObjective');
    const windows = [5, 60, 30, 360].map((minutes) => ({ LookBackWindowMinutes: minutes }));
    const interval = { RollingInterval: { Duration: 30, DurationUnit: 'DAY' } };
    expect(objectives).toMatchObject([
      {
        Name: 'PlantStore-prod-Availability',
        Goal: { AttainmentGoal: 99.9, Interval: interval },
        BurnRateConfigurations: windows,
        RequestBasedSli: {
          RequestBasedSliMetric: {
            MonitoredRequestCountMetric: {
              BadCountMetric: [
                { Expression: 'FILL(serverErrors, 0) + FILL(retryable, 0)', ReturnData: true },
                {
                  Id: 'serverErrors',
                  MetricStat: { Metric: { MetricName: '5xx' }, Stat: 'Sum', Period: 60 },
                },
                {
                  Id: 'retryable',
                  MetricStat: { Metric: { MetricName: 'RetryableErrors' } },
                  ReturnData: false,
                },
              ],
            },
            TotalRequestCountMetric: [
              { MetricStat: { Metric: { MetricName: 'Count' }, Stat: 'SampleCount' } },
            ],
          },
        },
      },
      {
        Name: 'PlantStore-prod-Latency',
        Goal: { AttainmentGoal: 99, Interval: interval },
        BurnRateConfigurations: windows,
        RequestBasedSli: {
          RequestBasedSliMetric: {
            MonitoredRequestCountMetric: {
              BadCountMetric: [{ MetricStat: { Metric: { MetricName: 'SlowShortLists' } } }],
            },
            TotalRequestCountMetric: [{ MetricStat: { Metric: { MetricName: 'ShortLists' }, Stat: 'Sum' } }],
          },
        },
      },
    ]);
  });
});

import type { Template } from 'aws-cdk-lib/assertions';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { anchorsOf, readDocument, sectionsOf } from '../support/markdown.ts';
import { idOf, propertiesOf, rollbackAlarmsOf } from '../support/resources.ts';
import { operationIds, stageNamed, templateOf } from '../support/synthesized.ts';
import { countedReasons } from './slo/traffic.ts';

const alarmSchema = z.looseObject({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()).default([]),
});

/** The alarms except the parts of composite ones, by the id in their name, `PlantStore-prod-<id>`. */
const alarmsOf = (template: Template): ReadonlyMap<string, z.infer<typeof alarmSchema>> =>
  new Map(
    ['CompositeAlarm', 'Alarm']
      .flatMap((type) => z.array(alarmSchema).parse(propertiesOf(template, `AWS::CloudWatch::${type}`)))
      .filter(({ AlarmDescription }) => !AlarmDescription.startsWith('A part of '))
      .map((alarm) => [alarm.AlarmName.replace(/^PlantStore-\w+-/, ''), alarm]),
  );

const prod = templateOf(stageNamed('prod'));
const alarms = alarmsOf(prod);

it('prod has seven alarms that send mail, and one for each function that only rolls back its release', () => {
  const topic = [{ Ref: idOf(prod, 'AWS::SNS::Topic') }];
  const mailing = [...alarms].filter(([, { AlarmActions }]) => AlarmActions.length > 0);
  for (const [, alarm] of mailing) expect(alarm).toMatchObject({ AlarmActions: topic, OKActions: topic });
  const ids = 'DamagedItems DeniedCallers FastBurn KeySetFailures NearThrottle Refused SlowBurn'.split(' ');
  expect(mailing.map(([id]) => id).toSorted()).toEqual(ids);
  expect(new Set(alarms.keys()).difference(new Set(ids))).toEqual(
    new Set(['Release', ...operationIds.map((id) => `${id}Release`)]),
  );
});

/** The patterns of a template's metric filters, by the names of the metrics. */
const patternsOf = (template: Template): ReadonlyMap<string, string> =>
  new Map(
    z
      .array(
        z.object({
          FilterPattern: z.string(),
          MetricTransformations: z.tuple([z.object({ MetricName: z.string() })]),
        }),
      )
      .parse(propertiesOf(template, 'AWS::Logs::MetricFilter'))
      .map(({ FilterPattern, MetricTransformations: [{ MetricName }] }) => [MetricName, FilterPattern]),
  );
const patterns = patternsOf(prod);

it('alarms count no denial that anyone can cause, no expired token, and no error of the caller', () => {
  const reasons = [...(patterns.get('DeniedCallers') ?? '').matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
  expect(reasons).toEqual(countedReasons);
  expect(patterns.get('RetryableErrors')).toBe(
    '{ ($.message.event = "request-failed") && ($.message.error >= 2000) }',
  );
});

const runbook = readDocument('docs/runbook.md');
const start = new Map(sectionsOf(runbook, 2)).get('Start here') ?? '';

it.each([...alarms])(
  'the alarm %s says what it means, and the runbook has the section that it links to and a row for it',
  (id, { AlarmDescription }) => {
    const [, meaning, link = ''] =
      /^(.+\.) Without data, it is OK\. What to do: docs\/runbook\.md#(\S+)$/.exec(AlarmDescription) ?? [];
    expect(meaning).toMatch(/^[A-Z].{30,}$/);
    expect(anchorsOf(runbook)).toContain(link);
    expect(AlarmDescription.length).toBeLessThanOrEqual(1024);
    // The alarms of releases share a row.
    expect(start).toMatch(new RegExp(`^\\| .*\\b${id.replace(/^\w+(?=Release$)/, '')}\\b`, 'm'));
  },
);

afterEach(() => {
  vi.unstubAllEnvs();
});

it('an alarm that a GitHub workflow deploys links to the runbook on main, not at the commit', () => {
  vi.stubEnv('GITHUB_SERVER_URL', 'https://forge.example.com');
  vi.stubEnv('GITHUB_REPOSITORY', 'team/plant-store');
  // A copy of the record, so that the stack is synthesized with these variables.
  const alarm = alarmsOf(templateOf({ ...stageNamed('prod') })).get('FastBurn');
  expect(alarm?.AlarmDescription).toMatch(
    / https:\/\/forge\.example\.com\/team\/plant-store\/blob\/main\/docs\/runbook\.md#fastburn-and-slowburn$/,
  );
});

const monitoringTypes = [
  ...['CloudWatch::Alarm', 'CloudWatch::CompositeAlarm', 'CloudWatch::Dashboard', 'Logs::MetricFilter'],
  ...['Logs::QueryDefinition', 'SNS::Topic', 'Budgets::Budget'],
];
/** The logical ids of the resources that monitor a stage. */
const monitoringOf = (template: Template): readonly string[] =>
  monitoringTypes.flatMap((type) => Object.keys(template.findResources(`AWS::${type}`))).toSorted();

it('a stage without recipients has only the alarms that roll back a canary, and their filters', () => {
  const staging = templateOf(stageNamed('staging'));
  const filters = Object.keys(staging.findResources('AWS::Logs::MetricFilter'));
  expect(monitoringOf(staging)).toEqual([...rollbackAlarmsOf(staging), ...filters].toSorted());
  const read = JSON.stringify(staging.findResources('AWS::CloudWatch::Alarm'));
  for (const name of patternsOf(staging).keys()) expect(read).toContain(`"MetricName":"${name}"`);
});

// The snapshots of local and dev have no monitoring: these stages have neither recipients nor a canary.
it('a stage with recipients is monitored like prod, and its budget notifies the e-mail recipients', () => {
  const alarmRecipients = ['a@example.com', 'https://pager.example.com/key', 'b@example.com'];
  const template = templateOf({ ...stageNamed('dev'), alarmRecipients });
  expect(monitoringOf(template)).toEqual(monitoringOf(prod));
  expect(
    propertiesOf(template, 'AWS::SNS::Subscription').map(({ Protocol, Endpoint }) => [Protocol, Endpoint]),
  ).toEqual(alarmRecipients.map((each) => [each.startsWith('https') ? 'https' : 'email', each]));
  const subscribers = ['a@example.com', 'b@example.com'].map((Address) => ({ Address }));
  expect(propertiesOf(template, 'AWS::Budgets::Budget')).toMatchObject([
    {
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY' },
      NotificationsWithSubscribers: [{ Subscribers: subscribers }, { Subscribers: subscribers }],
    },
  ]);
});

it('a stage without an e-mail recipient has no budget', () => {
  const template = templateOf({ ...stageNamed('dev'), alarmRecipients: ['https://pager.example.com/key'] });
  expect(monitoringOf(template)).toEqual(monitoringOf(prod).filter((id) => !id.includes('Budget')));
});

it.each([
  [{}, 48_000],
  [{ lambdaConcurrency: 10 }, 4200],
  [{ lambdaConcurrency: 1000 }, 48_000],
])(
  'with %j in its record, the alarm NearThrottle of prod fires at %i requests per minute',
  (changes, threshold) => {
    const template = templateOf({ ...stageNamed('prod'), ...changes });
    const alarm = propertiesOf(template, 'AWS::CloudWatch::Alarm').find(
      ({ AlarmName }) => AlarmName === 'PlantStore-prod-NearThrottle',
    );
    expect(alarm).toMatchObject({ Threshold: threshold });
  },
);

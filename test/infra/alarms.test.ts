import type { Template } from 'aws-cdk-lib/assertions';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { signedTokenDenials } from '../../functions/shared/log-events.ts';
import { stages } from '../../infra/stages.ts';
import { anchorsOf, readDocument, sectionsOf } from '../support/markdown.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { operationIds, stageNamed, templateOf } from '../support/synthesized.ts';

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

it('prod has seven alarms that mail, and one for each function that only rolls a release of it back', () => {
  const topic = [{ Ref: idOf(prod, 'AWS::SNS::Topic') }];
  const mailing = [...alarms].filter(([, { AlarmActions }]) => AlarmActions.length > 0);
  for (const [, alarm] of mailing) expect(alarm).toMatchObject({ AlarmActions: topic, OKActions: topic });
  const ids = 'DamagedItems DeniedCallers FastBurn KeySetFailures NearThrottle Refused SlowBurn'.split(' ');
  expect(mailing.map(([id]) => id).toSorted()).toEqual(ids);
  expect(new Set(alarms.keys()).difference(new Set(ids))).toEqual(
    new Set(['Release', ...operationIds.map((id) => `${id}Release`)]),
  );
});

const patterns = new Map(
  z
    .array(
      z.object({
        FilterPattern: z.string(),
        MetricTransformations: z.tuple([z.object({ MetricName: z.string() })]),
      }),
    )
    .parse(propertiesOf(prod, 'AWS::Logs::MetricFilter'))
    .map(({ FilterPattern, MetricTransformations: [{ MetricName }] }) => [MetricName, FilterPattern]),
);

it('alarms count no denial for what anyone can make up, no expired token, and no error that the caller can mend', () => {
  const reasons = [...(patterns.get('DeniedCallers') ?? '').matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
  expect(reasons).toEqual(signedTokenDenials.filter((reason) => reason !== 'lifetime'));
  expect(patterns.get('RetryableErrors')).toBe(
    '{ ($.message.event = "request-failed") && ($.message.error >= 2000) }',
  );
});

const runbook = readDocument('docs/runbook.md');
const start = new Map(sectionsOf(runbook, 2)).get('Start here') ?? '';

it.each([...alarms])(
  'the alarm %s says what it means, and leads to its section and its row of the runbook',
  (id, { AlarmDescription }) => {
    const [, meaning, link = ''] =
      /^(.+\.) Without data, it is off\. What to do: docs\/runbook\.md#(\S+)$/.exec(AlarmDescription) ?? [];
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

it('deployed by a GitHub workflow, an alarm links to the runbook on main, so that no release changes it', () => {
  vi.stubEnv('GITHUB_SERVER_URL', 'https://forge.example.com');
  vi.stubEnv('GITHUB_REPOSITORY', 'team/plant-store');
  // A copy of the record, so that the stack is synthesized with these variables.
  const alarm = alarmsOf(templateOf({ ...stageNamed('prod') })).get('FastBurn');
  expect(alarm?.AlarmDescription).toMatch(
    / https:\/\/forge\.example\.com\/team\/plant-store\/blob\/main\/docs\/runbook\.md#fastburn-and-slowburn$/,
  );
});

const emails = z.array(
  z.object({
    Budget: z.object({ BudgetType: z.literal('COST'), TimeUnit: z.literal('MONTHLY') }),
    NotificationsWithSubscribers: z.array(
      z.object({ Subscribers: z.array(z.object({ Address: z.string() })) }),
    ),
  }),
);
const alarmEmails = ['a@example.com', 'b@example.com'];

it.each([...stages, { ...stageNamed('dev'), alarmEmails }])(
  'stage $name has alarms for a canary or its recipients $alarmEmails, who get each alarm and mails about the account’s budget',
  (stage) => {
    const template = templateOf(stage);
    const countsOf = (each: Template): readonly number[] =>
      ['CloudWatch::Alarm', 'CloudWatch::CompositeAlarm', 'CloudWatch::Dashboard', 'Logs::MetricFilter'].map(
        (type) => propertiesOf(each, `AWS::${type}`).length,
      );
    const isWatched = stage.release === 'canary' || stage.alarmEmails.length > 0;
    expect(countsOf(template)).toEqual(isWatched ? countsOf(prod) : [0, 0, 0, 0]);
    expect(
      propertiesOf(template, 'AWS::SNS::Subscription').map(({ Protocol, Endpoint }) => [Protocol, Endpoint]),
    ).toEqual(stage.alarmEmails.map((email) => ['email', email]));
    const budgets = emails.parse(propertiesOf(template, 'AWS::Budgets::Budget'));
    const addresses = budgets.map(({ NotificationsWithSubscribers: all }) =>
      all.map(({ Subscribers }) => Subscribers.map(({ Address }) => Address)),
    );
    expect(addresses).toEqual(stage.alarmEmails.length === 0 ? [] : [[stage.alarmEmails, stage.alarmEmails]]);
  },
);

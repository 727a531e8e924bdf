import type { Template } from 'aws-cdk-lib/assertions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { stages } from '../../infra/stages.ts';
import { anchorsOf, readDocument, sectionsOf } from '../support/markdown.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';

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
const runbook = readDocument('docs/runbook.md');

it('prod has seven alarms that mail, and one that only rolls a release back', () => {
  const topic = [{ Ref: idOf(prod, 'AWS::SNS::Topic') }];
  const mailing = [...alarms].filter(([, { AlarmActions }]) => AlarmActions.length > 0);
  for (const [, alarm] of mailing) expect(alarm).toMatchObject({ AlarmActions: topic, OKActions: topic });
  expect(mailing.map(([id]) => id).toSorted()).toEqual([
    'DamagedItems',
    'DeniedCallers',
    'FastBurn',
    'KeySetFailures',
    'NearThrottle',
    'Refused',
    'SlowBurn',
  ]);
  expect(new Set(alarms.keys()).difference(new Set(mailing.map(([id]) => id)))).toEqual(new Set(['Release']));
});

describe.each([...alarms])('the alarm %s', (id, { AlarmDescription }) => {
  it('says what it means, and links to its section of the runbook', () => {
    const [, meaning, link = ''] =
      /^(.+\.) Without data, it is off\. What to do: docs\/runbook\.md#(\S+)$/.exec(AlarmDescription) ?? [];
    expect(meaning).toMatch(/^[A-Z].{30,}$/);
    expect(anchorsOf(runbook)).toContain(link);
    expect(AlarmDescription.length).toBeLessThanOrEqual(1024);
  });

  it('has a row in the runbook’s table of alarms', () => {
    const start = new Map(sectionsOf(runbook, 2)).get('Start here') ?? '';
    expect(start).toMatch(new RegExp(`^\\| .*\\b${id}\\b`, 'm'));
  });
});

describe('the runbook', () => {
  it('names outputs, graphs, tables and sections that exist', () => {
    const outputs = [...runbook.matchAll(/OutputKey==`(\w+)`/g)].map(([, output = '']) => output);
    expect(outputs).toContain('TableName');
    for (const output of outputs) prod.hasOutput(output, {});
    const dashboard = JSON.stringify(propertiesOf(prod, 'AWS::CloudWatch::Dashboard'));
    const headings = sectionsOf(runbook, 2).map(([heading]) => heading);
    for (const [, name = ''] of runbook.matchAll(/“([^”]+)”/g)) {
      expect(headings.includes(name) || dashboard.includes(`\\"title\\":\\"${name}\\"`), name).toBe(true);
    }
  });
});

const body = z
  .object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
  .transform(({ 'Fn::Join': [, parts] }): unknown =>
    JSON.parse(
      parts
        .map((part) => (typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', "'")))
        .join(''),
    ),
  )
  .pipe(
    z.object({
      widgets: z.array(
        z.object({
          type: z.string(),
          y: z.number(),
          properties: z.looseObject({ title: z.string(), alarms: z.array(z.string()).optional() }),
        }),
      ),
    }),
  );

describe('the dashboard', () => {
  const [dashboard] = propertiesOf(prod, 'AWS::CloudWatch::Dashboard');
  const { widgets } = body.parse(dashboard?.['DashboardBody']);
  const tables = widgets.filter(({ type }) => type === 'log').map(({ properties }) => properties);

  it('shows first whether callers are affected, and what is left of the budgets of 30 days', () => {
    const [status, , budget] = widgets.filter(({ y }) => y === 0);
    expect(status?.properties.alarms).toHaveLength(alarms.size);
    expect(budget?.properties).toMatchObject({ start: '-P30D', setPeriodToTimeRange: true });
    expect(JSON.stringify(budget)).toContain('100 - 100 * (100 - fast) / 1');
  });

  it('has four tables from the logs, and a request is found by a saved query', () => {
    expect(tables.map(({ title }) => title)).toEqual([
      'Why the list failed',
      'Why the authorizer denied or failed',
      'Slowest requests',
      'Who sends most',
    ]);
    prod.hasResourceProperties('AWS::Logs::QueryDefinition', {
      LogGroupNames: ['ListPlantsLog', 'AuthorizerLog', 'AccessLog'].map((log) => ({
        Ref: idOf(prod, 'AWS::Logs::LogGroup', log),
      })),
    });
  });
});

describe('the recipients of a stage', () => {
  const emails = z.array(
    z.object({
      Budget: z.object({ BudgetType: z.literal('COST'), TimeUnit: z.literal('MONTHLY') }),
      NotificationsWithSubscribers: z.array(
        z.object({ Subscribers: z.array(z.object({ Address: z.string() })) }),
      ),
    }),
  );

  it.each(stages)('$name: each in the record gets alarms, and mails about the account’s budget', (stage) => {
    const template = templateOf(stage);
    const { alarmEmails } = stage;
    expect(
      propertiesOf(template, 'AWS::SNS::Subscription').map(({ Protocol, Endpoint }) => [Protocol, Endpoint]),
    ).toEqual(alarmEmails.map((email) => ['email', email]));
    const budgets = emails.parse(propertiesOf(template, 'AWS::Budgets::Budget'));
    const addresses = budgets.map(({ NotificationsWithSubscribers: all }) =>
      all.map(({ Subscribers }) => Subscribers.map(({ Address }) => Address)),
    );
    expect(addresses).toEqual(alarmEmails.length === 0 ? [] : [[alarmEmails, alarmEmails]]);
  });

  it('get what CloudWatch sends for this account to the topic', () => {
    prod.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Resource: { Ref: idOf(prod, 'AWS::SNS::Topic') },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    });
  });
});

describe('a stage has alarms, metrics from logs and a dashboard', () => {
  const types = [
    'CloudWatch::Alarm',
    'CloudWatch::CompositeAlarm',
    'CloudWatch::Dashboard',
    'Logs::MetricFilter',
  ];
  const countsOf = (template: Template): readonly number[] =>
    types.map((type) => propertiesOf(template, `AWS::${type}`).length);

  it('with a canary, for the rollback, even without recipients', () => {
    expect(stageNamed('staging').alarmEmails).toEqual([]);
    expect(countsOf(templateOf(stageNamed('staging')))).toEqual(countsOf(prod));
  });

  it('with recipients, even without a canary', () => {
    const alarmEmails = ['a@example.com', 'b@example.com'];
    expect(countsOf(templateOf({ ...stageNamed('dev'), alarmEmails }))).toEqual(countsOf(prod));
  });

  it.each(['local', 'dev'] as const)('and none with neither, as %s', (name) => {
    expect(countsOf(templateOf(stageNamed(name)))).toEqual(types.map(() => 0));
  });
});

describe('deployed by a GitHub workflow', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('an alarm links to the runbook of its own commit', () => {
    vi.stubEnv('GITHUB_SERVER_URL', 'https://forge.example.com');
    vi.stubEnv('GITHUB_REPOSITORY', 'team/plant-store');
    // A copy of the record, so that the stack is synthesized with these variables.
    const alarm = alarmsOf(templateOf({ ...stageNamed('prod') })).get('FastBurn');
    expect(alarm?.AlarmDescription).toMatch(
      / https:\/\/forge\.example\.com\/team\/plant-store\/blob\/commit\/docs\/runbook\.md#fastburn-and-slowburn$/,
    );
  });
});

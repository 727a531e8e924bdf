import type { Template } from 'aws-cdk-lib/assertions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { sectionTitle } from '../../infra/monitoring/runbook.ts';
import { stages } from '../../infra/stages.ts';
import { readDocument, sectionsOf } from '../support/markdown.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';

const alarmSchema = z.looseObject({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()).default([]),
});
type Alarm = z.infer<typeof alarmSchema>;

/** The alarms that notify people. The others are parts of these. */
const alarmsOf = (template: Template): readonly Alarm[] =>
  z
    .array(alarmSchema)
    .parse(['Alarm', 'CompositeAlarm'].flatMap((type) => propertiesOf(template, `AWS::CloudWatch::${type}`)))
    .filter(({ AlarmActions }) => AlarmActions.length > 0);

/** The id in an alarm's name, `PlantStore-prod-<id>`. */
const idIn = ({ AlarmName }: Alarm): string => AlarmName.replace(/^PlantStore-\w+-/, '');

const prod = templateOf(stageNamed('prod'));
const alarms = alarmsOf(prod).map((alarm) => ({ id: idIn(alarm), alarm }));

const runbook = readDocument('docs/runbook.md');
const alarmSections = new Map(
  sectionsOf(new Map(sectionsOf(runbook, 2)).get('When an alarm goes off') ?? '', 3),
);

/** As GitHub makes a heading's anchor. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe('the runbook', () => {
  it('has a section for each alarm, and no others', () => {
    expect([...alarmSections.keys()].toSorted()).toEqual(alarms.map(({ id }) => sectionTitle(id)).toSorted());
  });

  it('names resources, log events, graphs and sections that exist', () => {
    for (const [, type, prefix] of runbook.matchAll(/physical (AWS::[\w:]+) "?(\w+)/g)) {
      const ids = Object.keys(prod.findResources(type ?? '')).filter((id) => id.startsWith(prefix ?? ''));
      expect(ids, `${type ?? ''} ${prefix ?? ''}`).toHaveLength(1);
    }
    const functions = readDocument('functions/shared/log-events.ts');
    for (const [, event] of runbook.matchAll(/message\.event = "([^"]+)"/g)) {
      expect(functions).toContain(`event: '${event ?? ''}'`);
    }
    const dashboard = JSON.stringify(propertiesOf(prod, 'AWS::CloudWatch::Dashboard'));
    for (const [, graph] of runbook.matchAll(/[Gg]raph “([^”]+)”/g)) {
      expect(dashboard).toContain(`\\"title\\":\\"${graph ?? ''}\\"`);
    }
    const headings = sectionsOf(runbook, 2)
      .map(([heading]) => heading)
      .concat([...alarmSections.keys()]);
    for (const [, section] of runbook.matchAll(/(?<![Gg]raph |README.{0,20}|AWS: )“([^”]+)”/g)) {
      expect(headings).toContain(section);
    }
  });

  it.each([...alarmSections])('has every part in the section %s', (_, text) => {
    expect([...text.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, part]) => part)).toEqual([
      'Meaning',
      'See it',
      'Likely causes',
      'Steps',
      'Roll back',
      'No data',
    ]);
  });
});

describe.each(alarms)('the alarm $id', ({ id, alarm }) => {
  it('says what it means and why it stays off without data, and links to its section of the runbook', () => {
    const [, meaning, withoutData, link] =
      /^(.+\.) Missing data is treated as good: (.+\.) What to do: (\S+)$/.exec(alarm.AlarmDescription) ?? [];
    expect(meaning).toMatch(/^[A-Z].{30,}$/);
    expect(withoutData).toMatch(/^[a-z].{20,}$/);
    expect([...alarmSections.keys()].map((heading) => `docs/runbook.md#${anchorOf(heading)}`)).toContain(
      link,
    );
    expect(link).toBe(`docs/runbook.md#${anchorOf(sectionTitle(id))}`);
    expect(alarm.AlarmDescription.length).toBeLessThanOrEqual(1024);
  });

  it('notifies people when it goes off and when it ends', () => {
    const topic = [{ Ref: idOf(prod, 'AWS::SNS::Topic') }];
    expect(alarm).toMatchObject({ AlarmActions: topic, OKActions: topic });
  });
});

describe('the budget of the account', () => {
  const emails = (template: Template): readonly unknown[] =>
    z
      .array(
        z.object({
          Budget: z.object({ BudgetType: z.literal('COST'), TimeUnit: z.literal('MONTHLY') }),
          NotificationsWithSubscribers: z.array(
            z.object({ Subscribers: z.array(z.object({ Address: z.string() })) }),
          ),
        }),
      )
      .parse(propertiesOf(template, 'AWS::Budgets::Budget'))
      .map(({ NotificationsWithSubscribers: all }) =>
        all.map(({ Subscribers }) => Subscribers.map(({ Address }) => Address)),
      );

  it.each(stages)('of stage $name notifies those whom its alarms notify', (stage) => {
    const { alarmEmails = [] } = stage;
    expect(emails(templateOf(stage))).toEqual(alarmEmails.length === 0 ? [] : [[alarmEmails, alarmEmails]]);
  });
});

describe('the people who are notified', () => {
  it.each(stages)('of stage $name are those in its record', (stage) => {
    const template = templateOf(stage);
    expect(
      propertiesOf(template, 'AWS::SNS::Subscription').map(({ Protocol, Endpoint }) => [Protocol, Endpoint]),
    ).toEqual((stage.alarmEmails ?? []).map((email) => ['email', email]));
  });

  it('can have several addresses', () => {
    const alarmEmails = ['a@example.com', 'b@example.com'];
    templateOf({ ...stageNamed('dev'), alarmEmails }).resourceCountIs('AWS::SNS::Subscription', 2);
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

describe.each(['dev', 'staging', 'prod'] as const)('stage %s', (name) => {
  const template = templateOf(stageNamed(name));

  it('has the same alarms as every stage that has alarms', () => {
    expect(alarmsOf(template).map(idIn)).toEqual(alarms.map(({ id }) => id));
  });

  it('has one dashboard, whose first row shows whether callers are affected', () => {
    const [dashboard, ...others] = propertiesOf(template, 'AWS::CloudWatch::Dashboard');
    expect(others).toEqual([]);
    const body = z
      .object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
      .transform(({ 'Fn::Join': [, parts] }) =>
        parts
          .map((part) => (typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', "'")))
          .join(''),
      )
      .parse(dashboard?.['DashboardBody']);
    const { widgets } = z
      .object({
        widgets: z.array(
          z.object({
            type: z.string(),
            y: z.number(),
            properties: z.object({ title: z.string(), alarms: z.array(z.string()).optional() }),
          }),
        ),
      })
      .parse(JSON.parse(body));
    const [status, ...rest] = widgets;
    expect(status).toMatchObject({ type: 'alarm', y: 0, properties: { title: 'Are callers affected?' } });
    const notifying = ['Alarm', 'CompositeAlarm']
      .flatMap((type) => Object.entries(template.findResources(`AWS::CloudWatch::${type}`)))
      .filter(
        ([, alarm]) => 'AlarmActions' in z.object({ Properties: z.looseObject({}) }).parse(alarm).Properties,
      )
      .map(([id]) => `{'Fn::GetAtt':['${id}','Arn']}`);
    expect(status?.properties.alarms?.toSorted()).toEqual(notifying.toSorted());
    expect(rest.filter(({ y }) => y === 0)).toMatchObject([{ properties: { title: 'Now' } }]);
  });
});

describe('stage local', () => {
  it('has no alarms, dashboard or metrics', () => {
    const template = templateOf(stageNamed('local'));
    for (const type of [
      'ApplicationSignals::ServiceLevelObjective',
      'Budgets::Budget',
      'CloudWatch::Alarm',
      'CloudWatch::CompositeAlarm',
      'CloudWatch::Dashboard',
      'SNS::Topic',
      'Logs::MetricFilter',
    ]) {
      template.resourceCountIs(`AWS::${type}`, 0);
    }
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
    const [alarm] = alarmsOf(templateOf({ ...stageNamed('prod') }));
    expect(alarm?.AlarmDescription).toMatch(
      / https:\/\/forge\.example\.com\/team\/plant-store\/blob\/commit\/docs\/runbook\.md#server-errors$/,
    );
  });
});

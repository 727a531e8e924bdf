import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { signedTokenDenials } from '../../functions/shared/log-events.ts';
import { readDocument, sectionsOf } from '../support/markdown.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { operationIds, stageNamed, templateOf } from '../support/synthesized.ts';

const alarmSchema = z.looseObject({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()).default([]),
});

/** The alarms, except the parts of composite ones, by the end of their name: `PlantStore-prod-<id>`. */
const alarmsOf = (template: Template): ReadonlyMap<string, z.infer<typeof alarmSchema>> =>
  new Map(
    ['CompositeAlarm', 'Alarm']
      .flatMap((type) => z.array(alarmSchema).parse(propertiesOf(template, `AWS::CloudWatch::${type}`)))
      .map((alarm) => [alarm.AlarmName.replace(/^PlantStore-\w+-/, ''), alarm] as const)
      .filter(([id]) => !/^FastBurn./.test(id)),
  );

const prod = templateOf(stageNamed('prod'));
const alarms = alarmsOf(prod);
const mailing = ['DamagedItems', 'DeniedCallers', 'FastBurn', 'KeySetFailures', 'Refused'];
const rollingBack = ['Authorizer', ...operationIds].map((id) => `${id}Release`);

it('prod has five alarms that notify people, and one for each function that rolls its release back', () => {
  expect([...alarms.keys()].toSorted()).toEqual([...mailing, ...rollingBack].toSorted());
  const topic = [{ Ref: idOf(prod, 'AWS::SNS::Topic') }];
  for (const id of mailing) expect(alarms.get(id)).toMatchObject({ AlarmActions: topic, OKActions: topic });
  for (const id of rollingBack) expect(alarms.get(id)?.AlarmActions).toEqual([]);
});

it.each([...alarms])('the alarm %s says what it means, and names a section of the runbook', (_, alarm) => {
  const [, section = ''] =
    /^[A-Z].{30,}\. What to do: “(.+)” in docs\/runbook\.md\.$/.exec(alarm.AlarmDescription) ?? [];
  expect(sectionsOf(readDocument('docs/runbook.md'), 2).map(([title]) => title)).toContain(section);
});

it('FastBurn fires when both windows of a budget burn', () => {
  const [composite] = propertiesOf(prod, 'AWS::CloudWatch::CompositeAlarm');
  const rule = JSON.stringify(composite?.['AlarmRule']).replaceAll(/[0-9A-F]{8}/g, '');
  const words = rule.match(/FastBurn\w+|AND|OR|[()]{2,}/g)?.join(' ');
  expect(words).toBe(
    '(( FastBurnFailedHour AND FastBurnFailedMinutes )) OR FastBurnSlowHour AND FastBurnSlowMinutes )))',
  );
});

const filtersOf = (template: Template): ReadonlyMap<string, string> =>
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

it('alarms count no denial that anyone can cause, no expired token, and no error of the caller', () => {
  const patterns = filtersOf(prod);
  const reasons = [...(patterns.get('DeniedCallers') ?? '').matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
  expect(reasons).toEqual(signedTokenDenials.filter((reason) => reason !== 'lifetime'));
  expect(patterns.get('RetryableErrors')).toBe(
    '{ ($.message.event = "request-failed") && ($.message.error >= 2000) }',
  );
});

it('a stage without recipients has only the alarms that roll a canary back, and their metrics', () => {
  const staging = templateOf(stageNamed('staging'));
  expect([...alarmsOf(staging).keys()].toSorted()).toEqual(rollingBack.toSorted());
  const read = JSON.stringify(staging.findResources('AWS::CloudWatch::Alarm'));
  for (const name of filtersOf(staging).keys()) expect(read).toContain(`"MetricName":"${name}"`);
  for (const type of ['CloudWatch::Dashboard', 'SNS::Topic'])
    expect(staging.findResources(`AWS::${type}`)).toEqual({});
});

it('each recipient is notified, and a stage without a canary has only the alarms that notify', () => {
  const alarmRecipients = ['a@example.com', 'https://pager.example.com/key', 'b@example.com'] as const;
  const template = templateOf({ ...stageNamed('dev'), alarmRecipients });
  expect([...alarmsOf(template).keys()].toSorted()).toEqual(mailing);
  const subscriptions = propertiesOf(template, 'AWS::SNS::Subscription');
  expect(subscriptions.map(({ Protocol, Endpoint }) => [Protocol, Endpoint])).toEqual([
    ['email', 'a@example.com'],
    ['https', 'https://pager.example.com/key'],
    ['email', 'b@example.com'],
  ]);
});

it('a stage decides which share of refused requests is unusual', () => {
  const template = templateOf({ ...stageNamed('prod'), refusedPercent: 50 });
  expect(alarmsOf(template).get('Refused')).toMatchObject({ Threshold: 50 });
});

it('an alarm reads ten metrics at most, which is CloudWatch’s limit', () => {
  const metrics = z.array(z.looseObject({ MetricStat: z.unknown().optional() })).default([]);
  for (const alarm of propertiesOf(prod, 'AWS::CloudWatch::Alarm')) {
    const read = metrics.parse(alarm['Metrics']).filter(({ MetricStat }) => MetricStat !== undefined);
    expect(read.length).toBeLessThanOrEqual(10);
  }
});

import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { sectionsOf } from '../support/markdown.ts';
import { readProjectFile } from '../support/project-files.ts';
import { propertiesOf } from '../support/template-resources.ts';
import { operationIds, stageNamed, templateOf } from '../support/synthesized.ts';

const alarmSchema = z.object({ AlarmName: z.string(), AlarmDescription: z.string() });

/**
 * The alarms by their id, which is their name without `PlantStore-prod-`. Alarms that are only parts of
 * FastBurn are left out.
 */
const alarmsOf = (template: Template): ReadonlyMap<string, z.infer<typeof alarmSchema>> =>
  new Map(
    ['CompositeAlarm', 'Alarm']
      .flatMap((type) => z.array(alarmSchema).parse(propertiesOf(template, `AWS::CloudWatch::${type}`)))
      .map((alarm) => [alarm.AlarmName.replace(/^PlantStore-\w+-/, ''), alarm] as const)
      .filter(([id]) => !/^FastBurn./.test(id)),
  );

const alarms = alarmsOf(templateOf(stageNamed('prod')));
// stack.test.ts checks actions, thresholds and patterns by snapshots; slo.test.ts checks when alarms fire.
const mailing = ['DamagedItems', 'DeniedCallers', 'FastBurn', 'KeySetFailures', 'Refused'];
const rollingBack = ['Authorizer', ...operationIds].map((id) => `${id}Release`);

it.each([...alarms])('the alarm %s says what it means, and names a section of the runbook', (_, alarm) => {
  const [, section = ''] =
    /^[A-Z].{30,}\. What to do: "(.+)" in docs\/runbook\.md\.$/.exec(alarm.AlarmDescription) ?? [];
  expect(sectionsOf(readProjectFile('docs/runbook.md'), 2).map(([title]) => title)).toContain(section);
});

const transformations = z.tuple([z.object({ MetricName: z.string() })]);

it('a stage without recipients has rollback alarms and their metrics, but no dashboard and no topic', () => {
  const staging = templateOf({ ...stageNamed('staging'), alarmRecipients: [] });
  expect([...alarmsOf(staging).keys()].toSorted()).toEqual(rollingBack.toSorted());
  const alarmsJson = JSON.stringify(staging.findResources('AWS::CloudWatch::Alarm'));
  for (const { MetricTransformations } of propertiesOf(staging, 'AWS::Logs::MetricFilter')) {
    const [{ MetricName }] = transformations.parse(MetricTransformations);
    expect(alarmsJson).toContain(`"MetricName":"${MetricName}"`);
  }
  for (const type of ['CloudWatch::Dashboard', 'SNS::Topic'])
    expect(staging.findResources(`AWS::${type}`)).toEqual({});
});

const alarmRecipients = ['a@a.example', 'https://b.example/key', 'c@a.example', 'a@a.example'] as const;
const devWithRecipients = templateOf({ ...stageNamed('dev'), alarmRecipients });

it('a stage without a canary has only the alarms that mail', () => {
  expect([...alarmsOf(devWithRecipients).keys()].toSorted()).toEqual(mailing);
});

it('each recipient is subscribed once, by email or https', () => {
  const subscriptions = propertiesOf(devWithRecipients, 'AWS::SNS::Subscription');
  expect(subscriptions.map(({ Protocol, Endpoint }) => [Protocol, Endpoint])).toEqual([
    ['email', 'a@a.example'],
    ['https', 'https://b.example/key'],
    ['email', 'c@a.example'],
  ]);
});

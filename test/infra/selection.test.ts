import { App } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { describe, expect, it } from 'vitest';
import { checkLogin, selectedStages, selectionFrom, stackNameOf } from '../../infra/selection.ts';
import { type Stage, StageError } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { stageNamed } from '../support/synthesized.ts';

/** What CDK passes on for `npm run deploy -- <stacks>`. */
const deployment = (...stacks: readonly string[]): ReturnType<typeof selectionFrom> =>
  selectionFrom({ deploy: 'true', [BUNDLING_STACKS]: stacks });
const synthesis = selectionFrom(new App().node.getAllContext());
/** What CDK passes on for `cdk destroy --context stage=<stage>`. */
const destruction = (stage: string): ReturnType<typeof selectionFrom> =>
  selectionFrom({ stage, [BUNDLING_STACKS]: [] });

const namesOf = (selected: readonly Stage[]): readonly string[] => selected.map(({ name }) => name);

describe('the stages of a command', () => {
  it('are all records, and no personal stage, unless the command names one', () => {
    expect(selectedStages(stages, synthesis)).toEqual(stages);
    expect(selectedStages(stages, deployment('PlantStore-dev', 'PlantStore-prod'))).toEqual(stages);
  });

  it('are also as many personal stages as it names: dev under another name, without alarms, domain and protected data', () => {
    const domain = { name: 'plants.example.com', certificateArn: 'arn' };
    const dev: Stage = { ...stageNamed('dev'), account: '111111111111', domain, data: 'protected' };
    const records = [dev, stageNamed('prod')];
    const selected = selectedStages(records, deployment('PlantStore-dev-anna', 'PlantStore-dev-pr-17'));
    expect(namesOf(selected)).toEqual(['dev', 'prod', 'dev-anna', 'dev-pr-17']);
    expect(selected[2]).toEqual({
      ...dev,
      name: 'dev-anna',
      alarmEmails: undefined,
      domain: undefined,
      data: 'disposable',
    });
  });

  it('are the only one that it asks for, with or without a record', () => {
    expect(namesOf(selectedStages(stages, { only: 'local', stacks: ['**'] }))).toEqual(['local']);
    expect(namesOf(selectedStages(stages, destruction('dev-anna')))).toEqual(['dev-anna']);
    expect(() => selectedStages(stages, destruction('prdo'))).toThrow(/^There is no stage "prdo"[^\n]*\.$/);
  });

  it.each([...['UPPER_case', '', '-anna', 'anna-', 'a'.repeat(31), 'anna.b', 'änna', 'anna\n', '*']])(
    'cannot be named PlantStore-dev-%s, and the message says which names are allowed',
    (name) => {
      const sentence =
        /^PlantStore-dev-[^]* is not an allowed name: [^\n]*1 to 30 lower case letters, digits or hyphens[^\n]*\.$/;
      for (const selection of [deployment(`PlantStore-dev-${name}`), destruction(`dev-${name}`)]) {
        expect(() => selectedStages(stages, selection)).toThrow(StageError);
        expect(() => selectedStages(stages, selection)).toThrow(sentence);
      }
    },
  );

  it.each(['a', '7', 'anna', 'pr-17', 'a--b', 'a'.repeat(30)])('can be PlantStore-dev-%s', (name) => {
    expect(selectedStages(stages, deployment(`PlantStore-dev-${name}`)).map(stackNameOf)).toContain(
      `PlantStore-dev-${name}`,
    );
  });
});

describe('the login', () => {
  const prod: Stage = { ...stageNamed('prod'), account: '111111111111', region: 'eu-central-1' };
  const records = [stageNamed('dev'), prod];
  const right = { account: '111111111111', region: 'eu-central-1' };
  const otherAccount = { ...right, account: '222222222222' };
  const otherRegion = { ...right, region: 'us-east-1' };
  const none = { account: undefined, region: 'us-east-1' };
  const check =
    (selection: ReturnType<typeof selectionFrom>, login: Parameters<typeof checkLogin>[2]) => () => {
      checkLogin(selectedStages(records, selection), selection, login);
    };

  it.each([
    ['deploy', deployment('PlantStore-prod')],
    ['deploy by a pattern', deployment('PlantStore-p*')],
    ['deploy among others', deployment('PlantStore-dev', 'PlantStore-prod')],
    ['destroy', destruction('prod')],
  ])('is refused in one sentence when it is not that of the stage: %s', (_, selection) => {
    expect(check(selection, right)).not.toThrow();
    expect(check(selection, otherAccount)).toThrow(StageError);
    expect(check(selection, otherAccount)).toThrow(
      /^PlantStore-prod belongs to account 111111111111 in eu-central-1 [^\n]*, but this login is for account 222222222222 in eu-central-1\.$/,
    );
    expect(check(selection, otherRegion)).toThrow(
      /^PlantStore-prod belongs to [^\n]*eu-central-1 [^\n]*, but this login is for [^\n]*us-east-1\.$/,
    );
  });

  it('may be any for a stage that names none, and for the stages that are not deployed', () => {
    for (const login of [right, otherAccount, otherRegion]) {
      expect(check(deployment('PlantStore-dev'), login)).not.toThrow();
      expect(check(deployment('PlantStore-dev-anna'), login)).not.toThrow();
    }
  });

  it('is needed for a deployment, and the message is one sentence that says what to do', () => {
    expect(check(deployment('PlantStore-dev'), none)).toThrow(StageError);
    expect(check(deployment('PlantStore-dev'), none)).toThrow(
      /^PlantStore-dev needs a login [^\n]*log in[^\n]*\.$/,
    );
  });

  it('is not needed to synthesize, and may be any', () => {
    for (const login of [none, otherAccount, otherRegion]) {
      expect(check(synthesis, login)).not.toThrow();
      expect(check(selectionFrom({ stage: 'prod', [BUNDLING_STACKS]: ['**'] }), login)).not.toThrow();
    }
  });
});

import { matchesGlob } from 'node:path';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { z } from 'zod';
import { personalStage, type Stage, StageError } from './stage.ts';

/** What the command line of CDK says about stages. */
export interface Selection {
  /** `--context stage=<name>`: the only stage of the app. */
  readonly only?: string | undefined;
  /** The stacks that are deployed. */
  readonly stacks: readonly string[];
  /** Whether the command calls AWS. */
  readonly needsLogin: boolean;
}

/** Reads the app's context, which CDK passes on from the command line. */
export const selectionFrom = (context: unknown): Selection => {
  const {
    stage: only,
    deploy,
    [BUNDLING_STACKS]: stacks,
  } = z
    .object({
      stage: z.string().optional(),
      // `npm run deploy` sets it.
      deploy: z.string().optional(),
      // CDK bundles only what `--exclusively` names, and nothing for a command such as `cdk destroy`.
      [BUNDLING_STACKS]: z.array(z.string()).default(['**']),
    })
    .parse(context);
  return { only, stacks, needsLogin: deploy === 'true' || stacks.length === 0 };
};

/** The login to AWS, as CDK passes it to the app: without a valid one, there is no account. */
export interface Login {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

const prefix = 'PlantStore-';

export const stackNameOf = ({ name }: Stage): string => `${prefix}${name}`;

/**
 * The stages of the app: those with a record, and the personal ones that the command line names.
 * @throws {StageError} when a personal stage may not have its name, or there is no such stage
 */
export const selectedStages = (
  records: readonly Stage[],
  { only, stacks }: Pick<Selection, 'only' | 'stacks'>,
): readonly Stage[] => {
  const isRecord = (name: string): boolean => records.some((record) => record.name === name);
  const named = stacks.filter((stack) => stack.startsWith(prefix)).map((stack) => stack.slice(prefix.length));
  const dev = records.find(({ name }) => name === 'dev');
  const personal = (names: readonly string[]): readonly Stage[] =>
    dev === undefined
      ? []
      : [...new Set(names)]
          .filter((name) => name.startsWith('dev-') && !isRecord(name))
          .map((name) => personalStage(dev, name));
  if (only === undefined) return [...records, ...personal(named)];
  const stages = [...records, ...personal([only])].filter(({ name }) => name === only);
  if (stages.length === 0) throw new StageError(`There is no stage "${only}" in infra/stages.ts.`);
  return stages;
};

/**
 * Refuses a login with which one of the stages named on the command line must not be deployed or destroyed.
 * @throws {StageError} when there is none, or it is for another account or Region than the stage's record names
 */
export const checkLogin = (
  stages: readonly Stage[],
  { only, stacks, needsLogin }: Selection,
  { account, region }: Login,
): void => {
  if (!needsLogin) return;
  const isChosen = (stage: Stage): boolean =>
    stage.name === only || stacks.some((pattern) => matchesGlob(stackNameOf(stage), pattern));
  for (const stage of stages.filter(isChosen)) {
    const name = stackNameOf(stage);
    if (account === undefined) {
      throw new StageError(
        `${name} needs a login to AWS, and there is none or it has expired: log in, for example with "aws login" or AWS_PROFILE, and run the command again.`,
      );
    }
    const wanted = [stage.account ?? account, stage.region ?? region].join(' in ');
    const actual = [account, region].join(' in ');
    if (wanted !== actual) {
      throw new StageError(
        `${name} belongs to account ${wanted} (infra/stages.ts), but this login is for account ${actual}.`,
      );
    }
  }
};

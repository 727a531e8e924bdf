import { strict as assert } from 'node:assert';
import type { Deployment } from './deployments.ts';
import type { IssuedToken } from './issue-token.ts';
import {
  authorize,
  type Decision,
  type Environment,
  newEnvironment,
  type Token,
  type World,
} from './model.ts';

/** The decisions about the tokens of one history. */
export interface Decisions {
  /** The decision about a token that the gateway has in its cache. */
  readonly cached: (token: IssuedToken) => Decision | undefined;
  /**
   * Checks decisions that are not cached, and remembers what gateway and authorizer then hold.
   * @param fetches how often the authorizer fetched the key set for them
   * @throws {AssertionError} when no possible state of the model explains the decisions and fetches
   */
  readonly check: (
    decided: readonly (readonly [IssuedToken, Decision])[],
    fetches: number,
    world: World,
  ) => void;
}

export const decisions = ({
  now,
  cacheMs,
  endsAfterThrow,
}: Pick<Deployment, 'now' | 'cacheMs' | 'endsAfterThrow'>): Decisions => {
  let environments = startOfHistory;
  const cache = new Map<string, { readonly decision: Decision; readonly at: number }>();
  return {
    cached: ({ authorization }) => {
      const found = cache.get(authorization);
      return found !== undefined && now() - found.at < cacheMs ? found.decision : undefined;
    },
    check: (decided, fetches, world) => {
      const tokens = decided.map(([token]) => token);
      const possible = possibilities(tokens, world, environments, endsAfterThrow);
      const seen = { decisions: decided.map(([, decision]) => decision), fetches };
      const matching = possible.filter(
        (each) => each.fetches === fetches && String(each.decisions) === String(seen.decisions),
      );
      if (matching.length === 0) {
        const legal = distinct(
          possible.map((each) => ({ decisions: each.decisions, fetches: each.fetches })),
        );
        assert.deepEqual(seen, legal.length === 1 ? legal[0] : { 'one of': legal });
      }
      environments = distinct(matching.map((each) => each.environments));
      for (const [{ authorization }, decision] of decided)
        if (decision !== 'throw') cache.set(authorization, { decision, at: now() });
    },
  };
};

/** The sets of execution environments that can exist: which one handled a request is not visible. */
type PossibleEnvironments = readonly (readonly Environment[])[];

/** An environment of an earlier history: what it holds has expired. */
const oldEnvironment: Environment = { ...newEnvironment, isWarm: true };
const startOfHistory: PossibleEnvironments = [
  [newEnvironment],
  [oldEnvironment],
  [oldEnvironment, oldEnvironment],
];

/** A possible outcome for concurrent tokens. */
interface Possibility {
  /** In the order of the tokens. */
  readonly decisions: readonly Decision[];
  /** How often it fetches the key set. */
  readonly fetches: number;
  readonly environments: readonly Environment[];
}

/** Two concurrent callers need two environments, and more never exist. */
const maxEnvironments = 2;

/**
 * All possible outcomes when the authorizer gets one token, or two concurrent ones.
 * @param endsAfterThrow whether an environment ends when its handler throws
 */
const possibilities = (
  tokens: readonly Token[],
  world: World,
  possible: PossibleEnvironments,
  endsAfterThrow: boolean,
): readonly Possibility[] => {
  const inOrder = (
    environments: readonly Environment[],
    waiting: readonly Token[],
  ): readonly Possibility[] => {
    const [token, ...others] = waiting;
    if (token === undefined) return [{ decisions: [], fetches: 0, environments }];
    const canStart = tokens.length > 1 && environments.length < maxEnvironments;
    return [...environments, ...(canStart ? [newEnvironment] : [])].flatMap((each, index) => {
      const { decision, fetches, environment } = authorize(token, world, each);
      const kept = decision === 'throw' && endsAfterThrow ? newEnvironment : environment;
      const after = [...environments.slice(0, index), kept, ...environments.slice(index + 1)];
      return inOrder(after, others).map((rest) => ({
        decisions: [decision, ...rest.decisions],
        fetches: fetches + rest.fetches,
        environments: rest.environments,
      }));
    });
  };
  return possible.flatMap((environments) => [
    ...inOrder(environments, tokens),
    ...inOrder(environments, tokens.toReversed()).map((each) => ({
      ...each,
      decisions: each.decisions.toReversed(),
    })),
  ]);
};

/** Removes duplicates. */
const distinct = <Value>(values: readonly Value[]): readonly Value[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

import fc from 'fast-check';
import { secondsToFinish, secondsToRepeat } from '../../table/request-record.ts';

/** What happens to a request to the table. */
export type Fault =
  | 'none'
  /** Other requests in flight overtake the request. */
  | 'slow'
  /** Two responses are lost, and the client retries. */
  | 'retried'
  /** All responses are lost, so the operation responds 2001 after the write. */
  | 'lost'
  /** The table does not respond, so the operation responds 2001 without a write. */
  | 'failed'
  /** The process ends, or its deadline passes, before the request has an effect. */
  | 'dies-before'
  /** The process ends, or its deadline passes, after the request has had its effect. */
  | 'dies-after';

/** A step of a client. Plants are counted from the last one that was added. */
export type Step =
  | { readonly kind: 'add'; readonly key: string | undefined; readonly body: number; readonly group: boolean }
  | { readonly kind: 'change'; readonly plant: number; readonly version: number; readonly body: number }
  | { readonly kind: 'delete'; readonly plant: number; readonly version: number | undefined }
  | { readonly kind: 'find'; readonly plant: number }
  /** Sends an earlier request again, counted from the last one. */
  | { readonly kind: 'repeat'; readonly request: number }
  /** Imports a plant again that was deleted. */
  | { readonly kind: 'import'; readonly plant: number }
  /** Time passes; then DynamoDB may remove the expired records. */
  | { readonly kind: 'wait'; readonly seconds: number; readonly removesExpired: boolean };

/** A connection of a user. */
export interface Client {
  readonly user: 'alice' | 'bob';
  readonly steps: readonly Step[];
}

export interface Scenario {
  readonly clients: readonly Client[];
  /** The fault of each request to the table, in the order of the requests. Further requests have no fault. */
  readonly faults: readonly Fault[];
}

/** How often each kind of step occurs. */
export type Weights = Readonly<Record<Step['kind'], number>>;

const secondsToKeep = secondsToRepeat + secondsToFinish;

// Few bodies, plants and versions, so that clients use the same ones.
const body = fc.nat({ max: 1 });
const plant = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 3 }));
const version = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 2 }));

const steps = {
  add: fc.record({
    kind: fc.constant<'add'>('add'),
    key: fc.oneof(
      { weight: 8, arbitrary: fc.constant('key') },
      { weight: 1, arbitrary: fc.constant('other') },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    body: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, body),
    group: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
  }),
  change: fc.record({ kind: fc.constant<'change'>('change'), plant, version, body }),
  delete: fc.record({
    kind: fc.constant<'delete'>('delete'),
    plant,
    version: fc.option(version, { nil: undefined }),
  }),
  find: fc.record({ kind: fc.constant<'find'>('find'), plant }),
  repeat: fc.record({ kind: fc.constant<'repeat'>('repeat'), request: fc.nat({ max: 3 }) }),
  import: fc.record({ kind: fc.constant<'import'>('import'), plant }),
  wait: fc.record({
    kind: fc.constant<'wait'>('wait'),
    seconds: fc.constantFrom(5, secondsToFinish, secondsToRepeat - 5, secondsToRepeat, secondsToKeep),
    removesExpired: fc.boolean(),
  }),
};

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 10, arbitrary: fc.constant<Fault>('none') },
  { weight: 3, arbitrary: fc.constant<Fault>('slow') },
  { weight: 2, arbitrary: fc.constantFrom<Fault[]>('retried', 'lost', 'failed') },
  { weight: 1, arbitrary: fc.constantFrom<Fault[]>('dies-before', 'dies-after') },
);

const addWithKey: Step = { kind: 'add', key: 'key', body: 0, group: false };

/** Two connections that send the same request, and a third one that deletes and changes its plant. */
const deletionDuringRepetitions = fc
  .array(fc.oneof({ weight: 3, arbitrary: steps.delete }, steps.change, steps.import), {
    ...{ minLength: 1, maxLength: 3, size: 'max' },
  })
  .map((stepsOfThird): readonly Client[] => [
    { user: 'alice', steps: [addWithKey] },
    { user: 'alice', steps: [addWithKey] },
    { user: 'alice', steps: stepsOfThird },
  ]);

/** Clients that send requests at the same time, and the faults of the table. */
export const scenarios = (weights: Weights): fc.Arbitrary<Scenario> => {
  const step = fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: weights.add, arbitrary: steps.add },
    { weight: weights.change, arbitrary: steps.change },
    { weight: weights.delete, arbitrary: steps.delete },
    { weight: weights.find, arbitrary: steps.find },
    { weight: weights.repeat, arbitrary: steps.repeat },
    { weight: weights.import, arbitrary: steps.import },
    { weight: weights.wait, arbitrary: steps.wait },
  );
  const client = fc.record({
    user: fc.oneof({ weight: 3, arbitrary: fc.constant<'alice'>('alice') }, fc.constant<'bob'>('bob')),
    steps: fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }),
  });
  return fc.record({
    clients: fc.oneof(
      fc.array(client, { minLength: 2, maxLength: 3, size: 'max' }),
      deletionDuringRepetitions,
    ),
    faults: fc.array(fault, { maxLength: 30, size: 'max' }),
  });
};

import fc from 'fast-check';
import type { Principal } from '../../../table/principal.ts';
import type { Command, Item, Row, Step, TableName } from './steps.ts';

/** Few of each, so that commands meet one another's plants. */
export const principals: readonly Principal[] = ['user#ann', 'group#ann', 'user#bob', 'group#user#bob'];
const usualNames = { a: 'Rose', b: "it's \u{1f335}", é: '\uffee' } as const;
const otherNames = ['Rosa', 'Rose', '\u{1f335}'] as const;

type Id = keyof typeof usualNames;

const weighted = <Value>(...choices: readonly (readonly [number, fc.Arbitrary<Value>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
/** A value, or less often undefined. */
const optional = <Value>(arbitrary: fc.Arbitrary<Value>, freq = 2) =>
  fc.option(arbitrary, { nil: undefined, freq });
const rarely = fc.nat(5).map((number) => number === 5);

const principal = fc.constantFrom(...principals);
const anyId = fc.constantFrom<Id>('a', 'b', 'é');
const tag = fc.constantFrom('t1', 't1', 't1', undefined, 't2', '');

/** An id and a name, which is nearly always the same. */
const plantOf = (id: fc.Arbitrary<Id>) =>
  fc
    .record({ id, other: fc.constantFrom(...otherNames), isOther: rarely })
    .map(({ id: each, other, isOther }) => ({ id: each, name: isOther ? other : usualNames[each] }));

const rightItem: fc.Arbitrary<Item> = fc
  .tuple(principal, plantOf(anyId), tag)
  .map(([each, plant, tagOf]) => ({
    principal: each,
    sortKey: `${plant.name}\0${plant.id}`,
    name: plant.name,
    tag: tagOf,
    plantId: plant.id,
  }));
/** Changes that make some items damaged, and others hard to find. */
const changes = fc.constantFrom<readonly Partial<Item>[]>(
  ...[[], [], []],
  ...[{ plantId: undefined }, { plantId: undefined }, { plantId: 'a' }, { plantId: 'b' }].map((each) => [
    each,
  ]),
  [{ note: 'n' }],
  [{ note: 'n' }, { plantId: undefined }],
  [{ name: undefined }],
  [{ name: 'another' }, { plantId: undefined }],
  [{ name: 5 }],
  [{ tag: 5 }],
  ...['Rose', 'Rose\0', '\0a', `${'x'.repeat(901)}\0a`].map((sortKey) => [
    { sortKey, name: sortKey.split('\0')[0] },
    ...(sortKey.endsWith('a') ? [{ plantId: 'a' }] : [{ plantId: undefined }]),
  ]),
);
const item: fc.Arbitrary<Item> = fc
  .tuple(rightItem, changes, changes, rarely)
  .map(([each, first, second, isBoth]) =>
    [...first, ...(isBoth ? second : [])].reduce<Item>((all, change) => ({ ...all, ...change }), each),
  );

/** A command about some of the users, groups and ids. */
const commandAbout = (principal: fc.Arbitrary<Principal>, id: fc.Arbitrary<Id>): fc.Arbitrary<Command> => {
  const row: fc.Arbitrary<Row> = fc.tuple(plantOf(id), tag, fc.nat(19)).map(([plant, tagOf, number]) => ({
    id: number < 2 ? undefined : plant.id,
    name: number === 19 ? '' : plant.name,
    tag: tagOf,
  }));
  /** `id` and, now and then, `--name`. */
  const choice = fc
    .tuple(plantOf(id), rarely)
    .map(([plant, isNamed]) => ({ id: plant.id, name: isNamed ? plant.name : undefined }));
  return weighted<Command>(
    [
      9,
      fc.record({
        run: fc.constant('import'),
        rows: fc.array(row, { maxLength: 3 }),
        to: principal,
        replace: fc.nat(2).map((number) => number === 0),
        strict: rarely,
        dryRun: rarely,
      }),
    ],
    [
      10,
      fc
        .tuple(choice, principal, optional(principal, 1))
        .map(([plant, to, from]) => ({ run: 'grant', ...plant, to, from })),
    ],
    [3, fc.tuple(choice, principal).map(([plant, from]) => ({ run: 'revoke', ...plant, from }))],
    [1, fc.record({ run: fc.constant('revoke --all'), from: principal })],
    [
      2,
      fc.record({
        run: fc.constant('revoke --key'),
        from: principal,
        sortKey: fc.constantFrom('Rose', 'Rose', '\0a'),
      }),
    ],
    [3, choice.map((plant) => ({ run: 'remove', ...plant }))],
    [2, fc.record({ run: fc.constant('check'), repair: fc.constantFrom(true, true, false) })],
    [
      3,
      fc.record({
        run: fc.constant('restore'),
        from: weighted<'the other table' | 'the table itself'>(
          [5, fc.constant('the other table')],
          [1, fc.constant('the table itself')],
        ),
        principal: optional(principal),
        dryRun: rarely,
        allowEmpty: rarely,
      }),
    ],
  );
};

/** Of two users or groups and one id, so that they meet. */
const twoCommands = fc.tuple(principal, principal, anyId).chain(([one, other, common]) => {
  const each = commandAbout(fc.constantFrom(one, other), fc.constant(common));
  return fc.tuple(each, each);
});

const table: fc.Arbitrary<TableName> = fc.constantFrom('A', 'A', 'A', 'B');

const put: fc.Arbitrary<Step> = fc.record({ step: fc.constant('put'), table, item });
const step = weighted<Step>(
  [6, put],
  [20, fc.record({ step: fc.constant('one'), table, command: commandAbout(principal, anyId) })],
  [
    8,
    fc
      .tuple(table, twoCommands, optional(fc.nat(7), 4))
      .map(([on, [first, second], before]) => ({ step: 'two', table: on, first, second, before })),
  ],
);

/** Any history. It does not begin with empty tables. */
export const histories: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(put, { minLength: 6, maxLength: 12 }),
    fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
  )
  .map(([puts, steps]) => [...puts, ...steps]);

import fc from 'fast-check';
import type { Principal } from '../../../table/principal.ts';
import type { Command, Item, Row, Step, TableName } from './steps.ts';

/** Few of each, so that commands meet one another's plants. */
export const principals: readonly Principal[] = ['user#ann', 'group#ann', 'user#bob', 'group#user#bob'];
export const ids = ['a', 'b', 'é'] as const;
const names = ['Rose', 'Rosa', '\u{1f335}', '\uffee', "it's"] as const;

const weighted = <Value>(...choices: readonly (readonly [number, fc.Arbitrary<Value>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const rarely = fc.nat(4).map((number) => number === 4);

const principal = fc.constantFrom(...principals);
const id = fc.constantFrom(...ids);
const name = fc.constantFrom(...names);
const tag = fc.constantFrom(undefined, 't1', 't2', '');

const rightItem: fc.Arbitrary<Item> = fc.record({ principal, name, id, tag }).map((plant) => ({
  principal: plant.principal,
  sortKey: `${plant.name}\0${plant.id}`,
  name: plant.name,
  tag: plant.tag,
  plantId: plant.id,
}));
/** Changes that make some items damaged, and others hard to find. */
const changes = fc.constantFrom<readonly Partial<Item>[]>(
  ...[{ plantId: undefined }, { plantId: undefined }, { plantId: 'a' }, { plantId: 'b' }].map((each) => [
    each,
  ]),
  [{ note: 'n' }],
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
const commandAbout = (
  principal: fc.Arbitrary<Principal>,
  id: fc.Arbitrary<string>,
): fc.Arbitrary<Command> => {
  const row: fc.Arbitrary<Row> = fc.record({
    id: weighted<string | undefined>([6, id], [1, fc.constant(undefined)]),
    name: weighted([15, name], [1, fc.constant('')]),
    tag,
  });
  return weighted<Command>(
    [
      9,
      fc.record({
        run: fc.constant('import'),
        rows: fc.array(row, { maxLength: 4 }),
        to: principal,
        replace: fc.boolean(),
        strict: rarely,
        dryRun: rarely,
      }),
    ],
    [
      10,
      fc.record({
        run: fc.constant('grant'),
        id,
        to: principal,
        from: sometimes(principal),
        name: sometimes(name),
      }),
    ],
    [4, fc.record({ run: fc.constant('revoke'), id, from: principal, name: sometimes(name) })],
    [1, fc.record({ run: fc.constant('revoke --all'), from: principal })],
    [
      1,
      fc.record({
        run: fc.constant('revoke --key'),
        from: principal,
        sortKey: fc.constantFrom('Rose', '\0a'),
      }),
    ],
    [4, fc.record({ run: fc.constant('remove'), id, name: sometimes(name) })],
    [2, fc.record({ run: fc.constant('check'), repair: fc.constantFrom(true, true, false) })],
    [
      3,
      fc.record({
        run: fc.constant('restore'),
        from: weighted<'the other table' | 'the table itself'>(
          [5, fc.constant('the other table')],
          [1, fc.constant('the table itself')],
        ),
        principal: sometimes(principal),
        dryRun: rarely,
        allowEmpty: rarely,
      }),
    ],
  );
};

/** Of two users or groups and one id, so that they meet. */
const twoCommands = fc.tuple(principal, principal, id).chain(([one, other, common]) => {
  const each = commandAbout(fc.constantFrom(one, other), fc.constant(common));
  return fc.tuple(each, each);
});

const table: fc.Arbitrary<TableName> = fc.constantFrom('A', 'A', 'A', 'B');

/** Any history. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  weighted<Step>(
    [8, fc.record({ step: fc.constant('put'), table, item })],
    [20, fc.record({ step: fc.constant('one'), table, command: commandAbout(principal, id) })],
    [
      8,
      fc
        .tuple(table, twoCommands, fc.option(fc.nat(7), { nil: undefined, freq: 4 }))
        .map(([table, [first, second], before]) => ({ step: 'two', table, first, second, before })),
    ],
  ),
  { minLength: 1, maxLength: 50, size: 'max' },
);

import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itemOf } from '../../../table/item.ts';
import { testTable } from '../../cli/plants-command.ts';
import { plantWith } from '../../support/table/field-samples.ts';

const table = await testTable();

const revokeAll = 'revoke --all --from user:bob';
const commands = ['list', 'revoke a --from everyone', revokeAll, '--help'];

/** Standard outputs that cannot be written, as lines of bash in which `"$@"` is the command. */
describe.each<readonly [name: string, shell: string, message: RegExp, commands: readonly string[]]>([
  ['a closed pipe', '"$@" | true; exit ${PIPESTATUS[0]}', /written \(EPIPE: broken pipe/, commands],
  ['a read-only descriptor', `"$@" 1<'${table.file('read-only', '')}'`, /\(EBADF: /, [revokeAll]],
  [
    'a file at its size limit',
    `ulimit -f 0; "$@" >'${table.file('limit', '')}'`,
    /\(EFBIG: file too large/,
    [revokeAll],
  ],
  // Only Linux has /dev/full.
  ...(existsSync('/dev/full')
    ? [['a full disk', '"$@" >/dev/full', /\(ENOSPC: no space/, [revokeAll]] as const]
    : []),
])('with %s as standard output', (_, shell, message, commandLines) => {
  beforeAll(() => table.put([itemOf('user#bob', plantWith({ id: 'a', name: 'Aloe' }))]));

  it.for(commandLines)('%s ends with one sentence and code 1, and deletes nothing', async (command) => {
    const { code, messages } = await table.plantsIn(shell, ...command.split(' '));
    expect([code, messages]).toEqual([1, [expect.stringMatching(message)]]);
    expect(await table.content()).toHaveLength(1);
  });
});

describe('revoke deletes an item when its standard output is', () => {
  beforeEach(() => table.put([itemOf('user#bob', plantWith({ id: 'a', name: 'Aloe' }))]));

  const file = table.file('revoked', '');
  it.each([
    // Node.js itself opens the null device in place of a closed descriptor.
    ['a closed descriptor', '"$@" >&-', ''],
    ['the null device, open also for reading as Python and Node.js open it', '"$@" 1<>/dev/null', ''],
    ['a pipe', '"$@" | cat', '{"who":"user:bob","id":"a","name":"Aloe"}\n'],
    ['a file', `"$@" >'${file}' && cat '${file}'`, '{"who":"user:bob","id":"a","name":"Aloe"}\n'],
    ['a terminal', 'script -qec "$*" /dev/null </dev/null', expect.stringContaining('"name":"Aloe"}\r\n')],
    // The pipes that Node.js makes for a child process are sockets.
    ['a socket', '"$@"', '{"who":"user:bob","id":"a","name":"Aloe"}\n'],
  ])('%s', async (_, shell, printed) => {
    const { code, output } = await table.plantsIn(shell, 'revoke', 'a', '--from', 'everyone');
    expect([code, output]).toEqual([0, printed]);
    expect(await table.content()).toEqual([]);
  });
});

describe('for items in several responses of DynamoDB,', () => {
  const ids = Array.from({ length: 2500 }, (_, index) => `id-${String(index)}`);
  /** The ids in complete lines. */
  const idsIn = (text: string): readonly string[] =>
    [...text.matchAll(/^{"id":"([^"]+)".*}\n/gm)].map(([, id = '']) => id);
  const listAll = ['list', '--from', 'user:alice'];

  // 2,500 names of 900 bytes take three responses, because a response of DynamoDB has at most 1 MB.
  beforeAll(() => table.put(ids.map((id) => itemOf('user#alice', plantWith({ id, name: 'n'.repeat(900) })))));

  it('list ends with one sentence and code 1 when its reader stops before the end', async () => {
    const shell = '"$@" | head -n 1; exit ${PIPESTATUS[0]}';
    const { code, output, messages } = await table.plantsIn(shell, ...listAll);
    expect([code, idsIn(output).length, messages]).toEqual([1, 1, [expect.stringMatching(/EPIPE/)]]);
  });

  it('list prints everything to a slow reader through a non-blocking pipe', async () => {
    // Another Node.js process makes the pipe non-blocking, and blocking again when it exits.
    const otherProcess = `"$1" -e 'process.stdout.write(""); setTimeout(() => {}, 60_000)'`;
    const shell = `{ ${otherProcess} & sleep 0.5; "$@"; kill $!; } | { sleep 2; cat; }`;
    expect(idsIn((await table.plantsIn(shell, ...listAll)).output)).toHaveLength(ids.length);
  });

  it('revoke deletes only items whose lines are complete when the file reaches its size limit', async () => {
    const file = table.file('revoked.ndjson', '');
    const shell = `ulimit -f 1500; "$@" >'${file}'`;
    const { code, messages } = await table.plantsIn(shell, 'revoke', '--all', '--from', 'user:alice');
    const remainingIds = new Set(idsIn((await table.plants(...listAll)).output));
    const deletedIds = new Set(ids).difference(remainingIds);
    expect([code, messages]).toEqual([
      1,
      [expect.stringMatching(/another file/), expect.stringMatching(/EFBIG/)],
    ]);
    expect(messages[0]).toContain(`Revoked up to ${deletedIds.size.toLocaleString('en')} items`);
    expect(deletedIds.size).toBeGreaterThan(0);
    expect(deletedIds.difference(new Set(idsIn(readFileSync(file, 'utf8'))))).toEqual(new Set());
  });
});

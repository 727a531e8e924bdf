import { describe, expect, it } from 'vitest';
import { plants } from './plants-command.ts';

describe('refuses an option that is given twice, before anything is done', () => {
  it.for<readonly [option: string, command: string]>([
    ['--table', 'list --table a --table b'],
    ['--table', 'list --table a --table=a'],
    ['--stage', 'revoke a01 --from user:bob --stage dev --stage prod'],
    ['--from', 'list --from user:a --from user:a'],
    ['--from', 'revoke a01 --from everyone --from user:a'],
    ['--to', 'grant a01 --from user:a --to user:b --to user:c'],
    ['--format', 'import - --to user:a --format csv --format json'],
    ['--replace', 'import - --to user:a --format csv --replace --replace'],
    ['--skip-bad', 'import - --to user:a --format csv --skip-bad --dry-run --skip-bad'],
    ['--dry-run', 'revoke a01 --dry-run --from user:a --dry-run'],
    ['--all', 'revoke --all --all --from user:a'],
  ])('%s in %s', async ([option, command]) => {
    const { code, output, messages } = await plants(command.split(' '));
    expect({ code, output, messages }).toEqual({
      code: 1,
      output: '',
      messages: [`Pass one ${option}, not several.`],
    });
  });
});

it.for<readonly [option: string, command: readonly string[]]>([
  ['--stage', ['list', '--stage', '']],
  ['--stage', ['revoke', 'a01', '--from', 'everyone', '--stage=']],
  ['--table', ['list', '--table', '']],
  ['--table', ['import', 'none.csv', '--to', 'user:a', '--table', '']],
])('refuses an empty %s, as of a variable that is not set: %j', async ([option, command]) => {
  expect(await plants(command)).toEqual({
    code: 1,
    output: '',
    messages: [`${option} is empty, as from a variable that is not set: pass a name.`],
  });
});

const hidden = '\u202e\u009b\u0007\n';

it.for<readonly [what: string, ...parameters: readonly string[]]>([
  ['an unknown command', hidden],
  ['an unknown option', 'list', `--${hidden}`],
  ['an option’s value', 'list', '--from', hidden],
  ['a format', 'import', 'x', '--to', 'user:a', '--format', hidden],
  ['a stage that is no name', 'list', '--stage', hidden],
  ['a file that does not exist', 'import', `${hidden}.csv`, '--to', 'user:a'],
  ['a file without a format', 'import', hidden, '--to', 'user:a'],
])('a message about %s escapes its control characters', async ([, ...parameters]) => {
  const { code, output, messages } = await plants(parameters, { env: { AWS_REGION: '' } });
  expect([code, output]).toEqual([1, '']);
  expect(messages[0]).not.toMatch(/[\u202e\p{Cc}]/u);
  // The parser adds its advice.
  expect(messages).toHaveLength(messages[0]?.startsWith('error: ') === true ? 2 : 1);
});

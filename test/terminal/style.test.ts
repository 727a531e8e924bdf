import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../local/project.ts';
import { columns } from '../../terminal/style.ts';

const program = `import('./terminal/style.ts').then(({ styled }) => console.log(styled('red', 'failed')))`;

/** The program's output to a terminal, which script(1) provides, or to a pipe. */
const printed = async (terminal: boolean, environment: Readonly<Record<string, string>>): Promise<string> => {
  const command = `'${process.execPath}' -e "${program}"`;
  const [file, parameters] = terminal
    ? process.platform === 'darwin'
      ? ['script', ['-q', '/dev/null', 'sh', '-c', command]]
      : ['script', ['-qec', command, '/dev/null']]
    : ['sh', ['-c', command]];
  const { stdout } = await promisify(execFile)(file, parameters, {
    cwd: projectFolder,
    env: { ...process.env, NO_COLOR: '', FORCE_COLOR: undefined, TERM: 'xterm-256color', ...environment },
  });
  return stdout.trim();
};

describe('output for people', () => {
  it.each<[boolean, Readonly<Record<string, string>>]>([
    [false, {}],
    [false, { FORCE_COLOR: '1' }],
    [true, { NO_COLOR: '1' }],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }],
  ])('has no colours on a terminal: %s, with %j', async (terminal, environment) => {
    const text = await printed(terminal, environment);
    expect(text).toMatch(/failed$/);
    expect(text).not.toContain('\u001b');
  });

  it('has colours on a terminal', async () => {
    expect(await printed(true, {})).toBe('\u001b[31mfailed\u001b[39m');
  });

  it('has columns as wide as their widest cell', () => {
    expect(
      columns([
        ['user', 'groups'],
        ['alexandra', 'none'],
        ['b', ''],
      ]),
    ).toBe('user       groups\nalexandra  none\nb');
  });
});
